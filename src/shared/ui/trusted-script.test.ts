// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test.each([
  ["without", undefined],
  ["with", { createPolicy: (_: string, rules: { createScriptURL(url: string): string }) => rules }],
])(
  "SEC-10: %s Trusted Types, built files, the door's worker and other sites' scripts pass, and nothing else of this site",
  async (_, factory) => {
    vi.stubGlobal("trustedTypes", factory);
    const { trustedScript } = await import("./trusted-script.ts");
    const others = [`${location.origin}/assets/a.js`, "https://js.example/v1/client.min.js"];
    for (const url of ["/assets/pbkdf2.js", "/admin/door/worker.js", ...others]) {
      expect(trustedScript(url)).toBe(url);
    }
    for (const url of ["/images/1", "/assets/../images/1", "data:text/javascript,1", "blob:null/1", "javascript:1"]) {
      expect(() => trustedScript(url)).toThrow(TypeError);
    }
  },
);
