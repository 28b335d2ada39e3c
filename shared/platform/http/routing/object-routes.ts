import * as z from 'zod'
import { listQuery } from '../paging/page-query.ts'
import {
  administrator,
  defineRoute,
  noContent,
  type Route,
  type RouteDefinition,
  type RouteExample,
  type RoutePermission,
} from './define-route.ts'
import { idOf } from './input/path-params.ts'

/** What one route is besides what follows from the object: its description, and whatever it does otherwise. */
type Own = Partial<Omit<RouteDefinition, 'method' | 'path' | 'tag' | 'open' | 'example'>> & {
  readonly example?: RouteExample
}
type Described = Own & { readonly description: string }

/** What the API says of one kind of object that administrators configure. */
interface ObjectContract<Answer extends z.ZodType, Input extends z.ZodType, Change extends z.ZodType> {
  /** The address of the list. */
  readonly path: `/${string}`
  readonly tag: string
  readonly called: { readonly one: string; readonly many: string }
  readonly answer: Answer
  readonly input: Input
  readonly change: Change
  /** The parameters of the path of one object; its id when left out. */
  readonly params?: z.ZodType
  /** Who may call the routes; administrators when left out. */
  readonly permission?: RoutePermission
  /** Who may list and read them, when that are more. */
  readonly readPermission?: RoutePermission
  /** Statuses besides those that follow from path and permission. */
  readonly alsoFails?: Route['alsoFails']
  /** Whether saving one never warns. */
  readonly neverWarns?: true
  /** Summaries and descriptions where they say more than the name, and what else a route has of its own. */
  readonly says: {
    readonly list?: Own
    readonly create: Own
    readonly get?: Own
    readonly change: Described
    readonly remove: Described
  }
  /** `stored`: the object with the id 1, or with another `id`. `change`: what the example changes of it. */
  readonly examples: {
    readonly create: { readonly body: unknown; readonly answer: unknown }
    readonly stored: object
    readonly change: object
    readonly id?: number | string
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
  params = z.object({ id: idOf(one) }),
  permission = administrator,
  readPermission = permission,
  alsoFails,
  neverWarns,
  says,
  examples: { create, stored, change: changed, id = 1 },
}: ObjectContract<Answer, Input, Change>) {
  const isVowel = /^[aeio]/.test(one)
  const a = `${isVowel ? 'an' : 'a'} ${one}`
  const shared = { tag, permission, ...(alsoFails && { alsoFails }) }
  const single = { ...shared, path: `${path}/{id}`, params } as const
  const saves = neverWarns ? {} : ({ mayWarn: true } as const)
  const first = { params: { id } }
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
      ...says.list,
    }),
    create: defineRoute({
      ...shared,
      ...saves,
      method: 'POST',
      path,
      summary: `Create ${a}`,
      body: input,
      answer,
      status: 201,
      example: create,
      ...says.create,
    }),
    get: defineRoute({
      ...single,
      permission: readPermission,
      method: 'GET',
      summary: `Read ${a}`,
      answer,
      example: { ...first, answer: stored },
      ...says.get,
    }),
    change: defineRoute({
      ...single,
      ...saves,
      method: 'PUT',
      summary: `Change ${a}`,
      body: change,
      answer,
      takesIfMatch: true,
      example: { ...first, body: changed, answer: { ...stored, ...changed, version: 2 } },
      ...says.change,
    }),
    remove: defineRoute({
      ...single,
      method: 'DELETE',
      summary: `Delete ${a}`,
      ...noContent,
      takesIfMatch: true,
      example: first,
      ...says.remove,
    }),
  }
}

/** The routes of an object, whatever its schemas are. One that its list shows whole has no `get`. */
export type ObjectRoutes = Readonly<Record<'list' | 'create' | 'change' | 'remove', Route>> & { readonly get?: Route }
