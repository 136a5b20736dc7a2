import { screen } from "#admin/screen.ts";
import { ActionForm, TextArea, TextField } from "#admin/ui/form.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import type { ErasurePlan } from "#shared/retention/retention.ts";

/** Says what erasing somebody changes, what stays until when and why, and what has to be settled first. */
export const erasePersonScreen = screen({
  path: "/admin/people/:id/erase",
  right: "donors.erase",
  section: "donations",
  async load(reads, { params: { id = "" }, staff }) {
    const email = await reads.findPersonEmail(staff!, id);
    return email === null ? null : { id, email, plans: await reads.planErasure(email) };
  },
  title: () => "Erase a person",
  body: ({ id, email, plans }, request) => {
    const path = `/admin/people/${id}`;
    const obstacles = plans.flatMap((plan) => plan.obstacles);
    const hasMore = plans.some(({ erases }) => erases.length > 0);
    return (
      <>
        <PageHead
          crumbs={[
            { label: "Donations", path: "/admin/donations" },
            { label: "Person", path },
          ]}
          title="Erase a person"
          about={<bdi>{email}</bdi>}
        />
        {obstacles.length > 0 && <Prevented obstacles={obstacles} />}
        {plans.map((plan) => (
          <Plan plan={plan} key={plan.title} />
        ))}
        <Elsewhere />
        {obstacles.length === 0 && hasMore && (
          <section className="panel act" aria-labelledby="erase-title">
            <h2 id="erase-title">Erase all that goes</h2>
            <ActionForm action={`${path}/erase`} id="erase" request={request}>
              <TextField
                name="email"
                label="Type their email address"
                hint="So that you erase nobody else."
                type="email"
                autoComplete="off"
                spellCheck={false}
              />
              <TextArea
                name="reason"
                label="Why"
                hint="Who asked, and when; without their name. It stays in the audit trail."
                rows={2}
              />
              <p className="row press">
                <button className="btn final" type="submit">
                  Erase this person
                </button>
                <a className="btn quiet" href={path}>
                  Cancel
                </a>
              </p>
              <p className="hint">
                This cannot be undone. The person hears nothing from us about it: answer them yourself.
              </p>
            </ActionForm>
          </section>
        )}
        {obstacles.length === 0 && !hasMore && (
          <Note title="There is nothing to erase now">What is left goes automatically in its time.</Note>
        )}
      </>
    );
  },
});

function Prevented({ obstacles }: Pick<ErasurePlan, "obstacles">) {
  return (
    <Note look="warn" title="This has to be settled first">
      <ul className="happens">
        {obstacles.map(({ what, path }) => (
          <li key={what}>
            {what} <a href={path}>Open it</a>
          </li>
        ))}
      </ul>
    </Note>
  );
}

function Plan({ plan: { title, erases, keeps } }: { plan: ErasurePlan }) {
  return (
    <section className="panel act" aria-label={title}>
      <h2>{title}</h2>
      <div className="happens">
        {erases.length > 0 && (
          <>
            <h3>What goes</h3>
            <ul>
              {erases.map((what) => (
                <li key={what}>{what}</li>
              ))}
            </ul>
          </>
        )}
        {keeps.length > 0 && (
          <>
            <h3>What stays, and why</h3>
            <ul>
              {keeps.map(({ what, until, why }) => (
                <li key={what}>
                  {what}: <b>{until}</b>. {why}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}

/** What the site cannot reach. */
const Elsewhere = () => (
  <section className="panel act" aria-label="Elsewhere">
    <h2>Elsewhere</h2>
    <p className="happens">
      Nothing here erases emails in your mailbox and theirs, files that were downloaded, backups until they are deleted,
      and what PayWay and PayPal keep of payments. If you restore an older backup, erase the person again.
    </p>
  </section>
);
