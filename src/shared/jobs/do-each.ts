/**
 * Does the work for one item after the other, also after one whose work fails, so that a run gets to all of them.
 * @throws AggregateError at the end, if any failed
 */
export async function doEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const failed: Error[] = [];
  for (const item of items) {
    await work(item).catch((cause: unknown) => failed.push(new Error(`failed for ${JSON.stringify(item)}`, { cause })));
  }
  if (failed.length > 0) throw new AggregateError(failed, `failed for ${failed.length} of ${items.length}`);
}
