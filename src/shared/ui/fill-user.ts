import { send } from "./send.ts";
import { dropUser, findHint, keepUser } from "./session-record.ts";

/** If the hint cookie is set, asks who is logged in; true if someone is. Without an answer nothing changes. */
export async function fillUser(): Promise<boolean> {
  const hint = findHint();
  if (hint === undefined) return false;
  const body = JSON.stringify({ user_id: hint });
  const answer = await send({ method: "POST", url: "/api/user", body, headers: {} }).catch(() => undefined);
  if (answer?.status === 401) dropUser();
  if (answer?.status !== 200) return false;
  keepUser(JSON.parse(answer.text).data);
  return true;
}
