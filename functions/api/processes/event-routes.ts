import {
  ProcessMessageAnswer,
  ProcessMessageBody,
  ProcessSignalAnswer,
  ProcessSignalBody,
} from '../../../shared/automation/processes/schema.ts'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'

const tag = 'Processes'

export const sendMessage = defineRoute({
  method: 'POST',
  path: '/api/sys/process-messages',
  operationId: 'sendProcessMessage',
  tag,
  summary: 'Send a message to process instances',
  description:
    'Delivers it to every instance that waits for its name and `correlation_key`, or else starts the processes that begin with it for the record with that id, or else keeps it for whoever begins to wait within `ttl` seconds. Requires `processes.message`. Answers when the receivers have taken their first steps. 409 without a key when several instances wait.',
  // The permission is on nothing that has a route of its own: the service checks it.
  permission: signedIn,
  body: ProcessMessageBody,
  alsoFails: [403, 409],
  answer: ProcessMessageAnswer,
  status: 200,
  example: {
    body: { name: 'payment received', correlation_key: 'A-17', variables: { amount: 250 } },
    answer: { delivered: [], kept: true },
  },
})

export const sendSignal = defineRoute({
  method: 'POST',
  path: '/api/sys/process-signals',
  operationId: 'sendProcessSignal',
  tag,
  summary: 'Send a signal to process instances',
  description:
    'Reaches everything in the company that waits for its name at this moment, and starts the processes that begin with it, in the background. Requires `processes.message`.',
  permission: signedIn,
  body: ProcessSignalBody,
  alsoFails: [403],
  answer: ProcessSignalAnswer,
  status: 202,
  example: { body: { name: 'year closed', variables: { year: 2026 } }, answer: { matched: 0 } },
})

export const eventRoutes: readonly Route[] = [sendMessage, sendSignal]
