/** AWS Query: input as a form, answers in XML. */
import { randomUUID } from 'node:crypto'
import { bodyText, nameOfFailure, type WireProtocol } from './wire-protocol.ts'

export const awsQuery: WireProtocol = {
  read({ body }) {
    const { Action = '', Version: _, ...input } = Object.fromEntries(new URLSearchParams(bodyText(body)))
    return { operation: Action, input: nest(input) }
  },
  answer: (operation, output) =>
    xml(
      200,
      `<${operation}Response><${operation}Result>${elements(output)}</${operation}Result><ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${operation}Response>`,
    ),
  failure({ statusCode, body }) {
    const { code, message } = nameOfFailure(body)
    return xml(
      statusCode,
      `<ErrorResponse><Error><Type>Sender</Type>${elements({ Code: code, Message: message })}</Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
    )
  },
}

interface Nested {
  [name: string]: string | Nested
}

/** `a.b` becomes members of members, `a.entry.1.Name` and `a.entry.1.Value` a map, `a.member.1` a list. */
function nest(flat: Readonly<Record<string, string>>): object {
  const root: Nested = Object.create(null) as Nested
  for (const [path, value] of Object.entries(flat)) {
    const names = path.split('.')
    const last = names.pop() as string
    let at = root
    for (const name of names) {
      const next = (at[name] ??= Object.create(null) as Nested)
      if (typeof next === 'string') throw new Error(`The form has a value both at ${path} and above it.`)
      at = next
    }
    at[last] = value
  }
  return fold(root) as object
}

function fold(value: string | Nested): unknown {
  if (typeof value === 'string') return value
  const { entry, member } = value
  if (typeof entry === 'object')
    return Object.fromEntries(
      Object.values(entry).map((pair) => {
        const { Name, Value = '' } = pair as Nested
        return [String(Name), fold(Value)]
      }),
    )
  if (typeof member === 'object') return Object.values(member).map(fold)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fold(inner)]))
}

const elements = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `<${name}>${escape(String(value))}</${name}>`)
    .join('')

const escape = (text: string): string => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const xml = (statusCode: number, body: string) => ({
  statusCode,
  headers: { 'content-type': 'text/xml' },
  body: Buffer.from(body),
})
