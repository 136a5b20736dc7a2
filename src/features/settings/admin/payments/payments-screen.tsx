import { hasRight } from "#admin/rights.ts";
import { type ScreenRequest, screen } from "#admin/screen.ts";
import { ActionForm } from "#admin/ui/form.tsx";
import { Icon } from "#admin/ui/icon.tsx";
import { Note } from "#admin/ui/note.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import { Requirements } from "#admin/ui/requirements.tsx";
import type { GoingLive } from "../going-live/going-live-part.ts";
import { PAYMENT_SETTINGS_PATH, providerTopics } from "./payments-part.ts";

type Shown = GoingLive & { readonly isPaypalOffered: boolean };

export const paymentsScreen = screen<Shown>({
  path: PAYMENT_SETTINGS_PATH,
  right: "settings.see",
  section: "settings",
  menuLabel: "Payments",
  load: async ({ readGoingLive, paymentSettings }) => ({ ...readGoingLive(), ...paymentSettings }),
  title: () => "Payment provider",
  body: (shown, request) => <Payments shown={shown} request={request} />,
});

function Payments({ shown, request }: { shown: Shown; request: ScreenRequest }) {
  const { isLive, isDemo, isPaypalOffered } = shown;
  return (
    <>
      <PageHead title="Payment provider" about="Who charges cards and PayPal, and whether they accept your keys." />
      <div className="editor-note">
        {isLive ? (
          <Note look="ok" title="This site takes real payments" />
        ) : (
          <Note look="warn" title={isDemo ? "Payments are simulated: no money moves" : "Payments are off"}>
            {isDemo
              ? "The keys below are those of the simulator."
              : "Nobody can give yet. Once every requirement is met, whoever runs the server starts the site with PAYMENTS=live."}
          </Note>
        )}
      </div>
      <ProviderPanel provider="payway" shown={shown} request={request}>
        Takes cards. Westpac gives you the keys with your facility, in PayWay under Settings, REST API. The test asks
        with the secret key; the publishable key and the merchant are used when a donor types a card.
      </ProviderPanel>
      <ProviderPanel provider="braintree" shown={shown} request={request}>
        {isPaypalOffered
          ? "Takes PayPal. The keys are in Braintree’s control panel under API."
          : "PAYPAL is off, so donors are not offered it, and nothing is needed here."}
      </ProviderPanel>
      <p className="hint">
        Keys are settings of the server, not of this page: they are never shown or kept in the database. To change them,
        whoever runs the server changes its settings and restarts it.
      </p>
    </>
  );
}

type PanelProps = {
  readonly provider: keyof typeof providerTopics;
  readonly shown: Shown;
  readonly request: ScreenRequest;
  readonly children: React.ReactNode;
};

function ProviderPanel({ provider, shown: { results, isPaypalOffered }, request, children }: PanelProps) {
  const { name, topic } = providerTopics[provider];
  const isOffered = provider !== "braintree" || isPaypalOffered;
  const mayTest = isOffered && request.staff !== null && hasRight(request.staff, "settings.change");
  const isOfThis = request.form?.values.provider?.[0] === provider;
  return (
    <section className="panel" aria-labelledby={`provider-${provider}`}>
      <h2 id={`provider-${provider}`}>{name}</h2>
      <p className="small">{children}</p>
      <Requirements results={results.filter((result) => result.topic === topic)} />
      {mayTest && (
        <ActionForm
          action={PAYMENT_SETTINGS_PATH}
          id={`test-${provider}`}
          request={{ form: isOfThis ? request.form : null }}
        >
          <input type="hidden" name="provider" value={provider} />
          <div className="acts">
            <button className="btn quiet" type="submit">
              <Icon name="key" />
              Test the keys of {name.split(",")[0]}
            </button>
          </div>
        </ActionForm>
      )}
    </section>
  );
}
