import * as z from 'zod'
import type { Caller } from '../../../kernel/principal.ts'
import { type BodyOf, defineRoute, type ParamsOf, type Route, type RouteDefinition } from './define-route.ts'
import { type Answer as AnswerTo, type CallerRequest, implement, type Implementation } from './implement.ts'

/** What one verb is besides what all of them share. */
type Verb = Partial<Omit<RouteDefinition, 'path' | 'tag' | 'open' | 'example'>> & {
  readonly summary: string
  /** What the address ends with, when it is not the verb. */
  readonly at?: string
  /** Of the example: what is sent, and what is answered; its parameters are those of all verbs unless it has its own. */
  readonly example: NonNullable<RouteDefinition['example']>
}

/** What the verbs of one kind of object share. */
type Shared<Params extends z.ZodType, Answer extends z.ZodType> = Pick<
  RouteDefinition,
  'path' | 'tag' | 'alsoFails'
> & {
  readonly permission: NonNullable<RouteDefinition['permission']>
  readonly params: Params
  /** What a verb answers unless it says otherwise: mostly the object as it is then. */
  readonly answer: Answer
  /** The parameters of the examples. */
  readonly of: NonNullable<NonNullable<RouteDefinition['example']>['params']>
}

type Own<V extends Verb, Name extends 'body' | 'query' | 'answer', Else extends z.ZodType> = V extends {
  readonly [N in Name]: infer Schema extends z.ZodType
}
  ? Schema
  : Else

type VerbRoutes<Params extends z.ZodType, Answer extends z.ZodType, Verbs extends Readonly<Record<string, Verb>>> = {
  readonly [Name in keyof Verbs]: Route<
    Params,
    Own<Verbs[Name], 'query', z.ZodObject<Record<never, never>>>,
    Own<Verbs[Name], 'body', z.ZodUndefined>,
    Own<Verbs[Name], 'answer', Answer>
  >
}

/** The routes of what is done with one object, by their verbs: `POST <path>/<verb>`. */
export function verbRoutes<
  Params extends z.ZodType,
  Answer extends z.ZodType,
  const Verbs extends Readonly<Record<string, Verb>>,
>({ path, of, ...shared }: Shared<Params, Answer>, verbs: Verbs): VerbRoutes<Params, Answer, Verbs> {
  return Object.fromEntries(
    Object.entries<Verb>(verbs).map(([verb, { at = verb, example, ...own }]) => [
      verb,
      defineRoute({
        method: 'POST',
        ...shared,
        path: `${path}/${at}`,
        ...own,
        example: { params: of, ...example },
      } as RouteDefinition),
    ]),
  ) as unknown as VerbRoutes<Params, Answer, Verbs>
}

/** What a verb does with the object `id`. */
type Doing<Deps, R extends Route> = (
  services: Deps,
  caller: Caller,
  id: ParamsOf<R> extends { readonly id: infer Id } ? Id : never,
  body: BodyOf<R>,
  request: CallerRequest<R>,
) => AnswerTo<R>

/** Binds the routes of verbs to what they do. */
export const implementVerbs = <Deps, Routes extends Readonly<Record<string, Route>>>(
  routes: Routes,
  services: Deps,
  does: { readonly [Name in keyof Routes]: Doing<Deps, Routes[Name]> },
): readonly Implementation[] =>
  Object.entries(routes).map(([name, route]) =>
    implement(route, (request) => {
      const { caller, params, body } = request
      return (does[name] as unknown as Doing<Deps, Route>)(
        services,
        caller,
        (params as { id: never }).id,
        body,
        request,
      )
    }),
  )
