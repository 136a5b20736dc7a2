/** What a release must reach: a figure's name as `nameRows` makes it, its value or its ratio, and the limit. */
export type Goal = { readonly figure: string; readonly is: "ours" | "ratio" } & (
  | { readonly atMost: number }
  | { readonly atLeast: number }
);

export const goals: readonly Goal[] = [
  { figure: "cold start to ready, data folder exists (to hello world)", is: "ours", atMost: 800 },
  { figure: "memory after the start (to hello world)", is: "ratio", atMost: 1.7 },
  { figure: "memory a minute after the load (to hello world)", is: "ratio", atMost: 2.5 },
  { figure: "cached home page, CPU a request (to hello world)", is: "ratio", atMost: 1.8 },
  { figure: "uncached home page, CPU (to cached)", is: "ours", atMost: 2 },
  { figure: "page made for each request: ticket choice, CPU", is: "ours", atMost: 4 },
  { figure: "page made for each request: order, CPU", is: "ours", atMost: 4 },
  { figure: "page made for each request: profile, CPU", is: "ours", atMost: 4 },
  { figure: "page made for each request: history, CPU", is: "ours", atMost: 4 },
  {
    figure: "page beside 500 receipts being drawn, 95th percentile (to the same page, quiet)",
    is: "ratio",
    atMost: 3,
  },
  {
    figure: "donation through HTTP, 8 clients, CPU of the server … of it the thread that answers",
    is: "ours",
    atMost: 4,
  },
  { figure: "donation through HTTP, 8 clients, a second (to pgbench, same rows)", is: "ratio", atLeast: 0.3 },
  { figure: "donation through HTTP, 8 clients, 95th percentile (to its median)", is: "ratio", atMost: 3 },
  { figure: "200 clients for a minute, 95th percentile of a donation", is: "ours", atMost: 3000 },
  { figure: "200 clients for a minute, refused otherwise or not answered", is: "ours", atMost: 0 },
  { figure: "200 clients for a minute, lost or differing in the books", is: "ours", atMost: 0 },
  { figure: "ticket orders, 8 clients, a second (to donations)", is: "ratio", atLeast: 0.8 },
  { figure: "orders, 8 clients (to donations)", is: "ratio", atLeast: 0.8 },
];
