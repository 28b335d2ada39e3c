/** The names of a document: expressions use identifiers, whatever signs a name has. */
export interface NameBook {
  /** The identifier of a name. */
  readonly as: (name: string) => string
  /** The name that an identifier stands for. */
  readonly nameOf: (identifier: string) => string
  /** An expression with identifiers instead of names that FEEL could not tell from operators. */
  readonly translate: (text: string) => string
}

const isPlain = (name: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name)

/** Makes the identifiers for names of input data and decisions, such as `Applicant Age` and `loan-amount`. */
export function nameBook(names: readonly string[]): NameBook {
  const identifiers = new Map<string, string>()
  const taken = new Set(names.filter(isPlain))
  for (const name of new Set(names.filter((one) => !isPlain(one)))) {
    const base =
      name
        .trim()
        .replace(/[^\p{L}\p{N}_]+/gu, '_')
        .replace(/^(?=\p{N})/u, '_') || '_'
    let made = base
    for (let count = 2; taken.has(made); count++) made = `${base}_${count}`
    taken.add(made)
    identifiers.set(name, made)
  }
  const known = new Map([...identifiers].map(([name, identifier]) => [identifier, name]))
  const byLength = [...identifiers.keys()].toSorted((a, b) => b.length - a.length)
  const written = byLength.map((name) =>
    name
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
  )
  // A text in quotes is matched first, so that no name in it is replaced.
  const pattern =
    written.length === 0
      ? undefined
      : new RegExp(String.raw`"(?:[^"\\]|\\.)*"|(?<![\p{L}\p{N}_])(?:${written.join('|')})(?![\p{L}\p{N}_])`, 'gu')
  return {
    as: (name) => identifiers.get(name) ?? name,
    nameOf: (identifier) => known.get(identifier) ?? identifier,
    translate: (text) =>
      pattern === undefined
        ? text
        : text.replaceAll(pattern, (found) =>
            found.startsWith('"')
              ? found
              : (identifiers.get(byLength.find((name) => isSameName(name, found)) ?? '') ?? found),
          ),
  }
}

const isSameName = (name: string, found: string): boolean =>
  name.trim().replaceAll(/\s+/g, ' ') === found.replaceAll(/\s+/g, ' ')
