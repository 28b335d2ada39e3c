import { own } from '../../../kernel/collections/own-members.ts'
import { type VariableUse, variableUses } from '../../../scripts/source/variable-uses.ts'
import { feelOf, parseExpression } from '../expressions/expression.ts'
import { globalNames } from '../expressions/global-names.ts'
import { anything, type Read, union } from '../shapes/reads.ts'

/** What goes into a text with expressions. */
export function readsOfText(text: string | undefined): readonly Read[] {
  if (text === undefined) return []
  try {
    const parsed = parseExpression(text)
    return parsed.kind === 'literal' ? [] : readsOfExpression(parsed.source)
  } catch (error) {
    // The name of an element may have a "${" that is not closed: it is a text.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** What goes into an expression, in JavaScript or FEEL. */
export function readsOfExpression(source: string): readonly Read[] {
  const feel = feelOf(source)
  return readsOf(feel === undefined ? variableUses(`return (${source}\n)`) : usesOfFeel(feel))
}

/** What goes into what a script answers, and the variables that it names and so may change; undefined: any. */
export function readsOfScript(script: string): {
  readonly reads: readonly Read[]
  readonly changes: readonly string[] | undefined
} {
  const uses = variableUses(script)
  const reads = readsOf(uses)
  const variables = uses?.get('variables')
  const isAny = uses === undefined || variables === 'whole' || [...uses.keys()].some((name) => dynamicNames.has(name))
  return { reads, changes: isAny ? undefined : [...(variables ?? [])] }
}

/** Names by which a script may reach every other. */
const dynamicNames = new Set(['eval', 'Function', 'globalThis', 'Reflect', 'arguments', '$data'])

/** Members of `$`-names that hold nothing of a record. */
const harmless: Readonly<Record<string, ReadonlySet<string>>> = {
  $api: new Set(['log', 'fail']),
  $user: new Set(['id', 'name', 'email', 'roles']),
  $context: new Set(['kind', 'model', 'id', 'depth', 'now', 'run_id', 'source']),
}

const readsOf = (uses: ReadonlyMap<string, VariableUse> | undefined): readonly Read[] =>
  uses === undefined ? anything : union(...[...uses].map(([name, manner]) => readsOfName(name, manner)))

function readsOfName(name: string, manner: VariableUse): readonly Read[] {
  const of = (prefix: string, whole: readonly Read[]) =>
    manner === 'whole' ? whole : [...manner].map((member) => `${prefix}.${member}`)
  const besides = (members: readonly string[], read: Read) =>
    manner !== 'whole' && [...manner].every((member) => members.includes(member)) ? [] : [read]
  switch (name) {
    case 'record':
    case 'old':
      return of('record', anything)
    case 'variables':
      return of('variables', anything)
    case 'tasks':
      return of('tasks', ['tasks.*'])
    case 'task':
      return besides(['id', 'element_id', 'outcome', 'completed_by'], 'names')
    case 'loop':
      return besides(['index', 'total'], 'items')
    case 'user':
      return []
    default: {
      if (dynamicNames.has(name)) return anything
      if (globalNames.has(name)) return []
      if (!name.startsWith('$')) return [`variables.${name}`]
      const known = own(harmless, name)
      return known && manner !== 'whole' && [...manner].every((member) => known.has(member)) ? [] : anything
    }
  }
}

const word = /(?<![\p{L}\p{N}_.])([\p{L}_][\p{L}\p{N}_]*)(?:\s*\.\s*([\p{L}_][\p{L}\p{N}_]*))?/gu

/** The names of an expression in FEEL, with their members. A word that is no name does no harm. */
function usesOfFeel(source: string): ReadonlyMap<string, VariableUse> {
  const uses = new Map<string, Set<string> | 'whole'>()
  for (const [, name = '', member] of source.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(word)) {
    const known = uses.get(name)
    if (member === undefined || known === 'whole') uses.set(name, 'whole')
    else uses.set(name, (known ?? new Set()).add(member))
  }
  return uses
}
