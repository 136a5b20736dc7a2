import { screen } from "#admin/screen.ts";
import { PageHead } from "#admin/ui/page-head.tsx";
import { SERVER_PATH } from "./server-part.ts";
import type { ServerSettings } from "./server-settings.ts";

/** `/admin/settings/server`: what the server was started with. */
export const serverScreen = screen<readonly ServerSettings[]>({
  path: SERVER_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Server",
  load: async ({ serverSettings }) => serverSettings,
  title: () => "Server",
  body: (groups) => (
    <>
      <PageHead
        title="Server"
        about="What the server was started with. Whoever runs it changes these in its settings file, by the names beside them, and restarts it."
      />
      {groups.map(({ title, rows }, index) => (
        <section className="panel" aria-labelledby={`server-${index}`} key={title}>
          <h2 id={`server-${index}`}>{title}</h2>
          <dl className="kv wide">
            {rows.map(({ label, value, names }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {value} <code className="small muted">{names.join(", ")}</code>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  ),
});
