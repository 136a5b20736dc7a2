import { screen } from "#admin/screen.ts";
import { ActionForm, TextField } from "#admin/ui/form.tsx";
import { PageHead } from "#admin/ui/page-head.tsx";
import type { ListedAccount } from "../accounts.ts";
import { ACCOUNTS_PATH } from "./accounts-part.ts";

export const accountsScreen = screen({
  path: ACCOUNTS_PATH,
  right: "exports.make",
  section: "donations",
  load: ({ readAccountSettings }) => readAccountSettings(),
  title: () => "Accounts of the journal",
  body: ({ accounts, version }, request) => (
    <>
      <PageHead
        title="Accounts of the journal"
        about="What your accounting program calls them. Xero and MYOB go by the code, QuickBooks by the name."
      />
      <ActionForm action={ACCOUNTS_PATH} id="accounts" request={request}>
        <input type="hidden" name="version" value={version} />
        {[...accounts].map(([account, settings]) => (
          <AccountFields account={account} settings={settings} key={account} />
        ))}
        <div className="acts">
          <button className="btn" type="submit">
            Save the accounts
          </button>
          <a className="btn quiet" href="/admin/journal">
            Leave them as they are
          </a>
        </div>
      </ActionForm>
    </>
  ),
});

function AccountFields({ account, settings }: { account: string; settings: ListedAccount }) {
  const { code, name, tax, usualName } = settings;
  return (
    <fieldset className="account-fields">
      <legend>{usualName}</legend>
      <TextField name={`code.${account}`} label="Code" defaultValue={code} />
      <TextField name={`name.${account}`} label="Name" defaultValue={name} />
      <TextField name={`tax.${account}`} label="Tax in Xero" defaultValue={tax} />
    </fieldset>
  );
}
