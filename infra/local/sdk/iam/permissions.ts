import { TemplateError } from '../../template/resolve-template.ts'
import type { Resource } from '../../template/resolve-template.ts'
import type { RequestContext } from './required-permissions.ts'

/* The permissions of each function: the policies of its role in the template (docs/decisions/0035). */

/** Whether a policy allows an action (`dynamodb:GetItem`) on a resource (its ARN), in the context of the request. */
export type IsAllowed = (action: string, resource: string, context?: RequestContext) => boolean

interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  /** One of the two. */
  readonly Resource?: string | readonly string[]
  readonly NotResource?: string | readonly string[]
  /** By condition operator, then by condition key. */
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}
interface Policy {
  readonly PolicyDocument: { readonly Statement: readonly Statement[] }
}

/** Permissions by function name. A function whose role is not in the template is left out, and not checked. */
export function readPermissions(
  functions: readonly Resource[],
  resources: readonly Resource[],
): ReadonlyMap<string, IsAllowed> {
  const permissions = new Map<string, IsAllowed>()
  for (const { properties, identity } of functions) {
    const role = resources.find(
      ({ type, identity: { attribute } }) => type === 'AWS::IAM::Role' && attribute('Arn') === properties['Role'],
    )
    if (!role) continue
    const attached = resources
      .filter(
        ({ type, properties: { Roles } }) =>
          /^AWS::IAM::(Managed)?Policy$/.test(type) && ((Roles ?? []) as string[]).includes(role.identity.ref),
      )
      .map((policy) => policy.properties as unknown as Policy)
    const inline = (role.properties['Policies'] ?? []) as Policy[]
    permissions.set(
      identity.ref,
      compilePermissions(
        [...attached, ...inline].flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
        role.id,
      ),
    )
  }
  return permissions
}

/** Size of the cache of answers. Object keys are many, so a full cache is cleared. */
const maxRemembered = 5_000

export function compilePermissions(statements: readonly Statement[], owner: string): IsAllowed {
  const compiled = statements.map(({ Effect, Action, Resource, NotResource, Condition }) => {
    const { StringLike = {}, ...others } = Condition ?? {}
    if (Effect !== 'Allow' || Object.keys(others).length > 0)
      throw new TemplateError(`The local cloud reads policies that allow, with StringLike conditions only: ${owner}.`)
    return {
      actions: patterns(Action, 'i'),
      resources: patterns(Resource ?? '*'),
      others: patterns(NotResource ?? []),
      conditions: Object.entries(StringLike).map(([key, values]) => ({ key, values: patterns(values) })),
    }
  })
  const remembered = new Map<string, boolean>()
  return (action, resource, context = {}) => {
    const question = JSON.stringify([action, resource, context])
    const known = remembered.get(question)
    if (known !== undefined) return known
    const answer = compiled.some(
      ({ actions, resources, others, conditions }) =>
        actions.some((one) => one.test(action)) &&
        resources.some((one) => one.test(resource)) &&
        !others.some((one) => one.test(resource)) &&
        conditions.every(({ key, values }) => key in context && values.some((one) => one.test(context[key] as string))),
    )
    if (remembered.size >= maxRemembered) remembered.clear()
    remembered.set(question, answer)
    return answer
  }
}

/** In a policy, `*` matches any text and `?` one character. */
const patterns = (texts: string | readonly string[], flags = ''): RegExp[] =>
  [texts].flat().map(
    (text) =>
      new RegExp(
        `^${text
          .replace(/[.+^${}()|[\]\\]/g, '\\$&')
          .replaceAll('*', '.*')
          .replaceAll('?', '.')}$`,
        `s${flags}`,
      ),
  )
