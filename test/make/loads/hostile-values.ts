import fc from 'fast-check'

/** Names that every object has: code that looks a name up in an object of ours finds them. */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype)

/** Texts with a special meaning to some parser or interpreter. */
const texts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '1e309',
  'null',
  'true',
  'undefined',
  'NaN',
  '[]',
  '{}',
  'prototype',
  '\u0000',
  '\u0007\u001b[31m',
  '\r\nx-injected: 1',
  '\u202e\u200b',
  '\ufeff',
  '𝕏💥',
  'e\u0301',
  'ß'.repeat(60),
  '\u{10FFFF}',
  "'; DROP TABLE requests; --",
  '" OR 1=1 --',
  '<script>alert(1)</script>',
  '{{7*7}}',
  '${7*7}',
  '%00%0a',
  '../../etc/passwd',
  '$CURRENT_USER',
  '$NOW(-99999999999 days)',
  '*',
  '#',
  'T#1#R#requests',
  'client_id.client_id.client_id',
  'requests',
  '2026-02-30',
  '9999-12-31T23:59:60Z',
  '0000-00-00',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(300),
  'é'.repeat(5000),
]
const numbers = [0, -0, -1, 1.5, 1, 2, 1e21, -1e21, 1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 53 - 1, -(2 ** 53)]

/** Bodies may be nested less than 40 deep. */
const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: [inner] }), 'deep')

export const hostileText = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...inheritedNames) },
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom(...numbers) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [null],
      [[]],
      [{}],
      { '': '' },
      { _eq: 1 },
      { $ref: '#' },
      nested(10),
      nested(20),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...texts), { minLength: 1, maxLength: 60 }) },
)

/** Bodies that are not JSON, or not the JSON that is expected. */
export const hostileBody = fc.constantFrom(
  '',
  '{',
  '[1,',
  'title=x',
  '"text"',
  'null',
  '[]',
  '1e400',
  '{"a":1e400}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"a":"\\ud800"}',
  '{"a":1,"a":2}',
  '\ufeff{}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `{"a":"${'x'.repeat(300_000)}"}`,
  JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, at]))),
)

type Path = readonly (string | number)[]

/** The paths of a JSON value and of everything in it. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [
    at,
    ...Object.entries(value).flatMap(([key, member]) =>
      pathsIn(member, [...at, Array.isArray(value) ? Number(key) : key]),
    ),
  ]
}

function withAt(value: unknown, [step, ...rest]: Path, given: unknown): unknown {
  if (step === undefined) return given
  if (Array.isArray(value)) return value.with(Number(step), withAt(value[Number(step)], rest, given))
  const members = Object.entries(value as object).filter(([key]) => key !== step)
  // `Object.fromEntries` makes own properties of all keys, even of `__proto__`.
  return Object.fromEntries([
    ...members,
    ...(rest.length === 0 && given === undefined
      ? []
      : [[step, withAt((value as Record<string, unknown>)[step], rest, given)]]),
  ])
}

/** A value in which a member has the name that every object has, in place of its own. */
function renamed(value: unknown, path: Path, name: string): unknown {
  const step = path.at(-1)
  if (typeof step !== 'string') return value
  const holder = path.slice(0, -1).reduce<unknown>((inner, one) => (inner as Record<string, unknown>)[one], value)
  const members = Object.entries(holder as object).map(([key, member]) => [key === step ? name : key, member] as const)
  return withAt(value, path.slice(0, -1), Object.fromEntries(members))
}

/** A valid value with up to three members changed, removed, renamed or added. */
export function mutated(sound: unknown): fc.Arbitrary<unknown> {
  const path = fc.constantFrom(...pathsIn(sound))
  const named = pathsIn(sound).filter((one) => typeof one.at(-1) === 'string')
  const rename =
    named.length === 0
      ? fc.constant(null)
      : fc.option(fc.record({ path: fc.constantFrom(...named), name: fc.constantFrom(...inheritedNames) }), { freq: 2 })
  const change = fc.record({
    path,
    given: fc.oneof({ weight: 6, arbitrary: hostileValue }, { weight: 1, arbitrary: fc.constant(undefined) }),
  })
  const more = fc.record({ key: hostileText, given: hostileValue })
  const parts = fc.tuple(fc.array(change, { maxLength: 3 }), fc.option(more, { freq: 4 }), rename)
  return parts.map(([changes, extra, other]) => {
    let value = other ? renamed(sound, other.path, other.name) : sound
    for (const one of changes) {
      if (pathsIn(value).some((known) => JSON.stringify(known) === JSON.stringify(one.path)))
        value = withAt(value, one.path, one.given)
    }
    if (extra && typeof value === 'object' && value !== null && !Array.isArray(value))
      value = Object.fromEntries([...Object.entries(value), [extra.key, extra.given]])
    return value
  })
}

/** How many objects and how many texts of a value get a name that every object has. */
const inheritedEach = 4

/**
 * A valid value with one of the names that every object has: as a further member of one of its objects, or in place of one
 * of its texts. Chance finds these seldom, because a body is refused for the first thing that is wrong with it.
 */
export function withInheritedNames(sound: unknown): unknown[] {
  const paths = pathsIn(sound)
  const at = (path: Path) => path.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], sound)
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const named = (index: number, names: readonly string[]) => names[index % names.length] as string
  return [
    ...paths
      .filter((path) => isObject(at(path)))
      .slice(0, inheritedEach)
      .map((path, index) =>
        withAt(
          sound,
          path,
          Object.fromEntries([...Object.entries(at(path) as object), [named(index, ['toString', 'valueOf']), 1]]),
        ),
      ),
    ...paths
      .filter((path) => typeof at(path) === 'string')
      .slice(0, inheritedEach)
      .map((path, index) => withAt(sound, path, named(index, ['toString', 'constructor', '__proto__', 'valueOf']))),
  ]
}
