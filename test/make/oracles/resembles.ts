/** Members that an answer must have exactly as its example shows them: names do not depend on the moment. */
export const exact: ReadonlySet<string> = new Set(
  'name title label slug status model table email kind type element_id subject l_table r_table target_model group'.split(
    ' ',
  ),
)

const isMoment = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)

/**
 * How an answer differs from the example of it; undefined when it does not. The answer may have more members and rows.
 * Values that depend on the moment or on chance need only be of the same type.
 */
export function unlike(
  example: unknown,
  answer: unknown,
  path = 'answer',
  exactly: ReadonlySet<string> = exact,
): string | undefined {
  const difference = `${path}: the example has ${JSON.stringify(example)}, the answer ${JSON.stringify(answer)?.slice(0, 300)}`
  if (example === null || typeof example !== 'object') {
    const member = path.split('.').at(-1) as string
    if (exactly.has(member)) return example === answer ? undefined : difference
    if (isMoment(example)) return isMoment(answer) ? undefined : difference
    if (example === null || answer === null) return example === answer ? undefined : difference
    return typeof example === typeof answer ? undefined : difference
  }
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return difference
    const missing = example.find((row) => !answer.some((one) => unlike(row, one, path, exactly) === undefined))
    return missing === undefined
      ? undefined
      : (answer.length === 1 && unlike(missing, answer[0], path, exactly)) || difference
  }
  if (answer === null || typeof answer !== 'object' || Array.isArray(answer)) return difference
  for (const [name, value] of Object.entries(example)) {
    const found = unlike(value, (answer as Record<string, unknown>)[name], `${path}.${name}`, exactly)
    if (found !== undefined && value !== undefined) return found
  }
  return undefined
}
