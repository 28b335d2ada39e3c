import { clock } from '../../../shared/kernel/time/clock.ts'
import { receiveRequest } from '../../../shared/messages/inbound-sources/receive-request.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { secretBox as secrets } from '../../wiring/platform/secrets.ts'
import { store } from '../../wiring/platform/store.ts'
import * as route from './routes.ts'

const dependencies = { store, config, clock, secrets, putObject: lazyObjects.putObject }

/** Takes messages in and answers: everything else happens behind the change feed. */
export const handler = endpointGroup({ authenticate: () => Promise.reject(new Error('every route here is open')) }, [
  implementOpen(route.receiveRequest, async ({ params, headers, bytes }) => {
    await receiveRequest(dependencies, { token: params.token, headers, body: bytes() })
    return ''
  }),
])
