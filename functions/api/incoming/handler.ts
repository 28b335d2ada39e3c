import { incomingActions } from '../../../shared/automation/incoming-actions/administer/incoming-actions.ts'
import {
  findIncomingAction,
  listIncomingActions,
} from '../../../shared/automation/incoming-actions/administer/list-incoming-actions.ts'
import {
  makeRecordOfMessage,
  setMessageAside,
} from '../../../shared/automation/incoming-actions/by-hand/handle-by-hand.ts'
import { executeRule } from '../../../shared/automation/incoming-actions/execute-rule.ts'
import { listTargetModels } from '../../../shared/automation/incoming-actions/list-target-models.ts'
import { previewRule } from '../../../shared/automation/incoming-actions/preview-rule.ts'
import { reprocessMessage } from '../../../shared/automation/incoming-actions/reprocess-message.ts'
import type { Caller } from '../../../shared/kernel/principal.ts'
import {
  changeSource,
  createSource,
  inboundSources,
} from '../../../shared/messages/inbound-sources/administer-sources.ts'
import { describeMessage } from '../../../shared/messages/incoming-messages/describe-message.ts'
import { readMessage } from '../../../shared/messages/incoming-messages/find-message.ts'
import { listMessages } from '../../../shared/messages/incoming-messages/list-messages.ts'
import { receiveMessage } from '../../../shared/messages/incoming-messages/receive/receive-message.ts'
import type { MessageAnswer } from '../../../shared/messages/incoming-messages/schema.ts'
import { implementObject } from '../../../shared/platform/configured-objects/implement-object.ts'
import { endpointGroup } from '../../../shared/platform/http/routing/endpoint-group.ts'
import { publicUrl } from '../../../shared/platform/http/routing/envelope.ts'
import { implement } from '../../../shared/platform/http/routing/implement.ts'
import { implementVerbs } from '../../../shared/platform/http/routing/verb-routes.ts'
import { authenticate } from '../../wiring/authenticate.ts'
import { rules } from '../../wiring/incoming/rules.ts'
import { config } from '../../wiring/platform/config.ts'
import { lazyObjects } from '../../wiring/platform/lazy-objects.ts'
import { secretBox as secrets } from '../../wiring/platform/secrets.ts'
import { rowAccess } from '../../wiring/records/row-access.ts'
import { files } from '../../wiring/tables/files.ts'
import { tables } from '../../wiring/tables/tables.ts'
import * as byHand from './by-hand-routes.ts'
import * as action from './incoming-action-routes.ts'
import * as message from './message-routes.ts'
import { sourceRoutes } from './source-routes.ts'

const messages = { ...files, ...lazyObjects, tables, access: rowAccess }
const sources = { ...files, config, secrets, publicUrl: publicUrl() }

const actions = { ...files, config, tables }

/** Sets a message aside, or takes it back, and answers it. */
const setAside =
  (isAside: boolean) =>
  async (_: typeof rules, caller: Caller, id: number): Promise<MessageAnswer> => {
    await setMessageAside(rules, caller, id, isAside)
    return readMessage(messages, caller, id)
  }

export const handler = endpointGroup({ authenticate }, [
  implement(message.listMessages, ({ caller, query }) => listMessages(messages, caller, query)),
  implement(message.getMessage, ({ caller, params }) => readMessage(messages, caller, params.id)),
  implement(message.receiveMessage, async ({ caller, body }) =>
    describeMessage(await receiveMessage(messages, caller, body)),
  ),
  ...implementObject(
    action.actionObjectRoutes,
    { ...incomingActions, list: listIncomingActions, get: findIncomingAction },
    actions,
  ),
  implement(action.listTargetModels, ({ caller, query }) => listTargetModels({ tables }, caller, query)),
  implement(action.prepareIncomingAction, async ({ caller, params, body }) => {
    const { data, ...meta } = await previewRule(rules, caller, params.action_id, body.message_id)
    return { success: true, data: { ...data }, message: 'OK', meta } as const
  }),
  implement(action.executeIncomingAction, ({ caller, params, body }) => executeRule(rules, caller, params.id, body)),
  implement(action.reprocessMessage, async ({ caller, params, remainingMs }) =>
    describeMessage(await reprocessMessage(rules, caller.tenant, params.id, remainingMs)),
  ),
  implement(byHand.makeRecord, ({ caller, params, body }) => makeRecordOfMessage(rules, caller, params.id, body)),
  ...implementVerbs(byHand.messageVerbs, rules, { dismiss: setAside(true), reopen: setAside(false) }),
  ...implementObject(sourceRoutes, { ...inboundSources, create: createSource, change: changeSource }, sources),
])
