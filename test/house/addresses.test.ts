import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeRoute } from "#shared/http/describe-route.ts";
import { listCalls } from "../wire.ts";

// Addresses are kept by browsers, proxies and logs, and sent on to other sites: none holds an email (API-5).

/** What runs in the page, draws it, or writes a letter; the mailbox for developers shows whose letters somebody asks for. */
const pageCode = globSync("src/**/*.{ts,tsx}").filter(
  (file) => !/\.test\.tsx?$|^src\/(payments|shared\/(mail\/mailbox|html))|\/contract\.ts$/.test(file),
);

/** The one form that is sent as an address: the days of the history. */
const sentAsAddress = new Set(["src/features/donations/ui/history/history-page.tsx"]);

/** Where an email may get into an address. */
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

test("API-5: no page and no letter puts an email into an address; the specification's calls that take one are for others", async () => {
  const calls = await listCallsWithEmail();
  expect(calls).toEqual(["donationSummaryCall", "donationSummaryPdfCall"]);
  expect(pageCode.length).toBeGreaterThan(300);
  expect(pageCode.flatMap((file) => faultsOf(file, readFileSync(file, "utf8"), calls))).toEqual([]);
});

test("API-5: what the search for emails in addresses looks for, it sees", () => {
  const planted = [
    "await ask(donationSummaryCall, { query })",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a file
    "const url = `/api/lookup?email=${email}`",
    "new URLSearchParams({ page: 1, donorEmail: person.email })",
    'address.searchParams.set("email", email)',
    "<form noValidate onSubmit={submit}>",
  ];
  for (const text of planted)
    expect(faultsOf("src/features/x/ui/x.tsx", text, ["donationSummaryCall"])).toHaveLength(1);
});
