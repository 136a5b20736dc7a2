export const ticketIslands = {
  CheckoutPage: async () => (await import("./checkout/checkout-page.tsx")).CheckoutPage,
  OrderPage: async () => (await import("./order/order-page.tsx")).OrderPage,
  SelectTickets: async () => (await import("./select/select-tickets.tsx")).SelectTickets,
};
