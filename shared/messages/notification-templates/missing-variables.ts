import type { Warning } from '../../kernel/failures/warning.ts'
import { didYouMean } from '../../kernel/text/did-you-mean.ts'
import { standardFieldsByName } from '../../lists/query/grammar/field.ts'
import { parseTemplate } from './placeholders.ts'
import type { TemplateContent } from './translation.ts'

/** What every sender gives a template about the record, beside parameters of its own. */
const givenByAll = ['record', 'user', 'url', 'params'] as const
/** The members of `user`: who did what is notified. */
const userMembers = ['id', 'name', 'email'] as const
/** The service adds them where a text uses them. */
const links = ['record_token', 'follow_url'] as const

/** What the sender of a template gives it. */
interface GivenVariables {
  /** Parameters of its own; undefined when they are known only when it sends. */
  readonly names: readonly string[] | undefined
  /** The fields of the record; undefined when they are not known. */
  readonly fields: Iterable<string> | undefined
}

/** The paths that the texts of a template name, in any language, once each. */
export const placeholdersOf = ({ subject, body, translations }: TemplateContent): string[] => [
  ...new Set(
    [{ subject, body }, ...Object.values(translations)]
      .flatMap((texts) => [...parseTemplate(texts.subject), ...parseTemplate(texts.body)])
      .flatMap((part) => (part.kind === 'placeholder' ? [part.path.join('.')] : [])),
  ),
]

/** Warnings for the values that a template names and its sender does not give: they are empty in what is sent. */
export function missingVariables(
  code: string,
  placeholders: readonly string[],
  { names, fields }: GivenVariables,
): Pick<Warning, 'code' | 'message'>[] {
  const given = [...givenByAll, ...(names ?? []), ...links]
  const known = fields && new Set([...fields, ...standardFieldsByName.keys(), 'data'])
  const words = [
    ...given,
    ...[...(known ?? [])].map((name) => `record.${name}`),
    ...userMembers.map((name) => `user.${name}`),
  ]
  const isGiven = (path: string): boolean => {
    const [name = '', member, inner] = path.split('.')
    if (names?.includes(name)) return true
    if (name === 'record' && member !== undefined && known)
      return known.has(member) && (member !== 'data' || inner === undefined || known.has(inner))
    if (name === 'user' && member !== undefined) return (userMembers as readonly string[]).includes(member)
    return names === undefined || given.includes(name)
  }
  return placeholders
    .filter((path) => !isGiven(path))
    .map((path) => ({
      code: 'missing_variable',
      message: `The template ${code} names {{${path}}}, which is not given here.${advice(path)}`,
    }))

  function advice(path: string): string {
    const [last = ''] = path.split('.').slice(-1)
    const member = [`record.${last}`, `user.${last}`].find((one) => one !== path && words.includes(one))
    return member ? ` Did you mean ${member}?` : didYouMean(path, words) || ` There are ${given.join(', ')}.`
  }
}
