import { clock } from '../../../shared/kernel/time/clock.ts'
import { receiveUpdate } from '../../../shared/messages/messenger/incoming/receive-update.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { implementOpen } from '../../../shared/platform/http/routing/implement.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { store } from '../../wiring/platform/store.ts'
import * as route from './routes.ts'

const dependencies = { store, config, clock, putObject: lazyObjects.putObject }

/** Takes updates in and answers: everything else happens behind the change feed. Its address may be open to everybody. */
export const handler = endpointGroup({ authenticate: () => Promise.reject(new Error('every route here is open')) }, [
  implementOpen(route.receiveUpdate, async ({ headers, bytes }) => {
    await receiveUpdate(dependencies, headers['x-telegram-bot-api-secret-token'], bytes().toString())
    return ''
  }),
])
