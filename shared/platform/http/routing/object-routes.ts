import * as z from 'zod'
import { listQuery } from '../paging/page-query.ts'
import { administrator, defineRoute, noContent, type Route, type RoutePermission } from './define-route.ts'
import { idOf } from './input/path-params.ts'

/** What the API says of one kind of object that administrators configure. */
interface ObjectContract<Answer extends z.ZodType, Input extends z.ZodType, Change extends z.ZodType> {
  /** The address of the list. */
  readonly path: `/${string}`
  readonly tag: string
  readonly called: { readonly one: string; readonly many: string }
  readonly answer: Answer
  readonly input: Input
  readonly change: Change
  /** Who may call the routes; administrators when left out. */
  readonly permission?: RoutePermission
  /** Who may list and read them, when that are more. */
  readonly readPermission?: RoutePermission
  /** Statuses besides those that follow from path and permission. */
  readonly alsoFails?: Route['alsoFails']
  /** Summaries and descriptions where they say more than the name. */
  readonly says: {
    readonly create: { readonly summary?: string; readonly description?: string }
    readonly change: { readonly description: string }
    readonly remove: { readonly description: string }
  }
  /** `stored`: the object with the id 1. `change`: what the example changes of it. */
  readonly examples: {
    readonly create: { readonly body: unknown; readonly answer: unknown }
    readonly stored: object
    readonly change: object
  }
}

/** The five routes of an object that administrators configure: list, create, read, change and delete. */
export function objectRoutes<Answer extends z.ZodType, Input extends z.ZodType, Change extends z.ZodType>({
  path,
  tag,
  called: { one, many },
  answer,
  input,
  change,
  permission = administrator,
  readPermission = permission,
  alsoFails,
  says,
  examples: { create, stored, change: changed },
}: ObjectContract<Answer, Input, Change>) {
  const isVowel = /^[aeio]/.test(one)
  const a = `${isVowel ? 'an' : 'a'} ${one}`
  const single = `${path}/{id}` as const
  const shared = { tag, permission, ...(alsoFails && { alsoFails }) }
  const params = z.object({ id: idOf(one) })
  const first = { params: { id: 1 } }
  return {
    list: defineRoute({
      ...shared,
      permission: readPermission,
      method: 'GET',
      path,
      summary: `List the ${many}`,
      description: 'Newest first.',
      query: listQuery(answer),
      answer,
      shape: 'page',
      example: { answer: [stored] },
    }),
    create: defineRoute({
      ...shared,
      method: 'POST',
      path,
      summary: `Create ${a}`,
      ...says.create,
      body: input,
      answer,
      mayWarn: true,
      status: 201,
      example: create,
    }),
    get: defineRoute({
      ...shared,
      permission: readPermission,
      method: 'GET',
      path: single,
      summary: `Read ${a}`,
      params,
      answer,
      example: { ...first, answer: stored },
    }),
    change: defineRoute({
      ...shared,
      method: 'PUT',
      path: single,
      summary: `Change ${a}`,
      ...says.change,
      params,
      body: change,
      answer,
      mayWarn: true,
      takesIfMatch: true,
      example: { ...first, body: changed, answer: { ...stored, ...changed, version: 2 } },
    }),
    remove: defineRoute({
      ...shared,
      method: 'DELETE',
      path: single,
      summary: `Delete ${a}`,
      ...says.remove,
      params,
      ...noContent,
      takesIfMatch: true,
      example: first,
    }),
  }
}

/** The routes of an object, whatever its schemas are. */
export type ObjectRoutes = Readonly<Record<'list' | 'create' | 'get' | 'change' | 'remove', Route>>
