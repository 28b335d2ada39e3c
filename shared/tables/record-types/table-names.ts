/** What a table's schemas are called: its name in Pascal case, and these after it. */
export const parts = [
  '',
  'Data',
  'Input',
  'Changes',
  'Row',
  'Expanded',
  'Tests',
  'Filter',
  'Name',
  'Sort',
  'Reference',
  'Aggregate',
  'Query',
  'Import',
  'Envelope',
  'Page',
  'Rows',
  'Restored',
] as const

/**
 * The name of each table's schemas, such as `Requests` for `requests`. Where it would meet another schema, `Records` and
 * then a number follow. The same tables give the same names.
 */
export function schemaNamesOf(tables: readonly string[], taken: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(taken)
  const names = new Map<string, string>()
  for (const table of tables.toSorted()) {
    const plain = pascal(table)
    const name = candidates(plain).find((one) => parts.every((part) => !used.has(one + part))) as string
    for (const part of parts) used.add(name + part)
    names.set(table, name)
  }
  return names
}

function candidates(plain: string): string[] {
  return [plain, `${plain}Records`, ...Array.from({ length: 400 }, (_, index) => `${plain}Records${index + 2}`)]
}

export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')
