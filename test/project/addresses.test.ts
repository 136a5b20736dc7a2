import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeRoute } from "#shared/http/describe-route.ts";
import { listCalls } from "../wire.ts";

// Browsers, proxies and logs keep addresses, and other sites receive them, so none may contain an email (API-5).

/** What runs in or renders pages, or writes emails; the developers' mailbox is exempt, since it selects by address. */
const pageCode = globSync("src/**/*.{ts,tsx}").filter(
  (file) => !/\.test\.tsx?$|^src\/(payments|shared\/(mail\/mailbox|html))|\/contract\.ts$/.test(file),
);

/** Forms sent by GET: the days of the history, and the filters and ticked rows of staff’s lists, which are neither logged nor passed on. */
const sentAsAddress = new Set([
  "src/features/donations/ui/history/history-page.tsx",
  "src/admin/ui/filters.tsx",
  "src/admin/ui/choose-rows.tsx",
  "src/features/donations/admin/list/export-menu.tsx",
  "src/features/tickets/admin/orders/orders-screen.tsx",
]);

/** Places where an email may get into an address. */
function faultsOf(file: string, text: string, calls: readonly string[]): string[] {
  const faults: string[] = [];
  const isMounting = /\/server\//.test(file);
  for (const call of calls) if (!isMounting && text.includes(call)) faults.push(`${file} uses ${call}`);
  if (/[?&]\w*e-?mail\w*=|[?&]to=/i.test(text)) faults.push(`${file} writes an email into a query`);
  if (/URLSearchParams\(\{[^}]*mail|searchParams\.(?:set|append)\([^)]*mail/i.test(text)) {
    faults.push(`${file} writes an email into a query`);
  }
  for (const [form] of text.matchAll(/<form\b[^>]*/g)) {
    const isPosted = form.includes('method="post"') || sentAsAddress.has(file);
    if (!isPosted) faults.push(`${file} has a form that is sent as an address before its script runs`);
  }
  return faults;
}

/** The names of the calls that take an email in their path or query. */
async function listCallsWithEmail(): Promise<string[]> {
  const paths = (await listCalls())
    .filter((call) => {
      const { params, querystring } = describeRoute(call) as Record<string, { properties?: object } | undefined>;
      return Object.keys({ ...params?.properties, ...querystring?.properties }).some((name) => /mail/i.test(name));
    })
    .map(({ path }) => path);
  const contracts = globSync("src/{features/*,payments/*,shared/*}/contract.ts").map((file) =>
    readFileSync(file, "utf8"),
  );
  return paths.map((path) => {
    const declared = contracts.flatMap((text) => [
      ...text.matchAll(/export const (\w+) = route\(\{[\s\S]*?path: "([^"]+)"/g),
    ]);
    return declared.find(([, , declaredPath]) => declaredPath === path)![1]!;
  });
}

test("API-5: no page and no email puts an email address into a URL; the specification's calls that take one are for others", async () => {
  const calls = await listCallsWithEmail();
  expect(calls).toEqual(["donationSummaryCall", "donationSummaryPdfCall"]);
  expect(pageCode.length).toBeGreaterThan(300);
  expect(pageCode.flatMap((file) => faultsOf(file, readFileSync(file, "utf8"), calls))).toEqual([]);
});

test("API-5: the search for emails in addresses finds planted ones", () => {
  const planted = [
    "await ask(donationSummaryCall, { query })",
    `const url = \`/api/lookup?email=\${email}\``,
    "new URLSearchParams({ page: 1, donorEmail: person.email })",
    'address.searchParams.set("email", email)',
    "<form noValidate onSubmit={submit}>",
  ];
  for (const text of planted)
    expect(faultsOf("src/features/x/ui/x.tsx", text, ["donationSummaryCall"])).toHaveLength(1);
});
