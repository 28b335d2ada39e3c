import { MethodNotAllowed } from '../../../shared/kernel/failures/faults.ts'
import { withoutSlash } from '../../../shared/platform/http/routing/endpoint-group.ts'
import type { HttpEvent } from '../../../shared/platform/http/routing/http-event.ts'
import { routeMatcher } from '../../../shared/platform/http/routing/match-route.ts'
import { methodsOf } from '../../../shared/platform/http/routing/shared-paths.ts'
import { allRoutes } from './all-routes.ts'

const match = routeMatcher(allRoutes)

/**
 * Answers where an address without a route leads: the same one without the slash at its end, which API Gateway takes for
 * another. Undefined for an unknown address. Throws MethodNotAllowed for one that knows other methods.
 */
export function addressWithoutSlash(event: HttpEvent): string | undefined {
  const { rawPath, requestContext } = event
  const { method } = requestContext.http
  const found = match(method, rawPath)
  if (!found) return undefined
  if (!found.route) throw new MethodNotAllowed(method, methodsOf(rawPath, found.methods))
  return rawPath.endsWith('/') ? withoutSlash(event) : undefined
}
