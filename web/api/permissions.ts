import { useSuspenseQuery } from '@tanstack/react-query'
import { type CurrentUser, sessionQuery } from './session.ts'

export type Action = 'read' | 'create' | 'update' | 'delete' | 'comment' | 'comment_internal' | 'share'

/** Whether the permissions of the session allow an action: `requests.read`, `requests.*`, `*.read` or `*`. */
export const may = ({ permissions }: Pick<CurrentUser, 'permissions'>, action: Action, model: string): boolean =>
  ['*', `${model}.*`, `*.${action}`, `${model}.${action}`].some((one) => permissions.includes(one))

/** The tables whose records the session may read. */
export const readable = <Table extends { readonly name: string }>(
  user: Pick<CurrentUser, 'permissions'>,
  tables: readonly Table[],
): Table[] => tables.filter(({ name }) => may(user, 'read', name))

/** The person who is signed in. For screens inside of the frame, which has asked already. */
export const useUser = (): CurrentUser => useSuspenseQuery(sessionQuery).data
