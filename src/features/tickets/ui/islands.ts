export const ticketIslands = {
  CheckoutPage: async () => (await import("./checkout/checkout-page.tsx")).CheckoutPage,
  JoinWaitingList: async () => (await import("./waiting/join-waiting-list.tsx")).JoinWaitingList,
  OrderPage: async () => (await import("./order/order-page.tsx")).OrderPage,
  SelectTickets: async () => (await import("./select/select-tickets.tsx")).SelectTickets,
  WaitingPlace: async () => (await import("./waiting/waiting-place.tsx")).WaitingPlace,
};
