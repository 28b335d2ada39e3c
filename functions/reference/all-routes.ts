import type { Route } from '../../shared/http/define-route.ts'
import { routes as auth } from '../auth/routes.ts'
import { routes as directory } from '../directory/routes.ts'
import { routes as entities } from '../entities/routes.ts'
import { routes as history } from '../history/routes.ts'
import { routes as tables } from '../tables/routes.ts'
import { routes as reference } from './routes.ts'

/** The routes of every API function: what the reference describes. */
export const allRoutes: readonly Route[] = [...auth, ...directory, ...tables, ...entities, ...history, ...reference]
