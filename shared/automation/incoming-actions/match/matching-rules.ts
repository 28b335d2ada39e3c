import { giveWay } from '../../../kernel/runtime/give-way.ts'
import { log } from '../../../kernel/runtime/log.ts'
import { type IncomingMessage, mailboxOf } from '../../../messages/incoming-messages/message.ts'
import { ErrorList } from '../../../tables/tables/error-list.ts'
import { type IncomingAction, inOrder } from '../incoming-action.ts'
import { scriptMessage } from '../prepare/run-script.ts'
import type { MessageDocument } from './message-path.ts'
import { type ConditionVariables, parseCondition } from './parse-condition.ts'

/** All conditions together: the longest of a rule takes a third of a second on the largest message. */
const budgetMs = 5_000

/** Which rules a message has. */
interface MatchedRules {
  readonly matching: readonly IncomingAction[]
  /** Rules whose condition was not tested, because those before them took all the time that there is. */
  readonly untested: readonly IncomingAction[]
}

/**
 * The automatic rules for a message, in the order in which they run. A message that a program sent matches only rules
 * whose condition names `payload.auto`.
 */
export async function matchingRules(
  rules: readonly IncomingAction[],
  message: IncomingMessage,
  variables: ConditionVariables,
  nowMs: () => number = () => performance.now(),
): Promise<MatchedRules> {
  const document = scriptMessage(message)
  const candidates = rules
    .filter(
      ({ isActive, isAutomatic, channel, mailboxIds }) =>
        isActive &&
        isAutomatic &&
        (channel === 'all' || channel === message.channel) &&
        (!mailboxIds || mailboxIds.some((id) => id === mailboxOf(message))),
    )
    .toSorted(inOrder)
  const matching: IncomingAction[] = []
  let spentMs = 0
  for (const [index, rule] of candidates.entries()) {
    if (spentMs > budgetMs) return { matching, untested: candidates.slice(index) }
    const fromMs = nowMs()
    if (isMatch(rule, message, document, variables)) matching.push(rule)
    spentMs += nowMs() - fromMs
    // Others on this machine have their turn.
    await giveWay()
  }
  return { matching, untested: [] }
}

function isMatch(
  rule: IncomingAction,
  { auto, isInternal }: IncomingMessage,
  document: MessageDocument,
  variables: ConditionVariables,
): boolean {
  const list = new ErrorList()
  const { matches, paths } = parseCondition(rule.condition, variables, list)
  if (list.any) {
    log.warn('a rule has a condition that is no longer valid, and matches nothing', { rule: rule.id })
    return false
  }
  // A mail of ours that came back is what it is; an answer for the team is for no rule.
  if (auto === 'own' || isInternal) return false
  return (auto === undefined || paths.has('payload.auto')) && matches(document)
}
