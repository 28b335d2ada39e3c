import type { Command } from '../../schema.ts'
import { escalateFrom } from '../events/escalate.ts'
import { holdsNoMore, occur } from '../events/occur.ts'
import { beginActivity } from '../tokens/ad-hoc.ts'
import { endCall } from '../tokens/call-process.ts'
import { nodeAt, type EngineRun, type Token } from '../tokens/engine-run.ts'
import { failWork } from '../tokens/perform-work.ts'
import { assign, noteTask } from '../tokens/variable-scopes.ts'

/** Applies a command to the token it names. False: there is no such token, or it does not wait for this command. */
export async function applyCommand(run: EngineRun, command: Command): Promise<boolean> {
  const token = run.tokens.get(command.executionId)
  if (token === undefined) return false
  const isFailed = token.is === 'work' && token.failed !== undefined
  switch (command.kind) {
    case 'complete':
      if (token.is !== 'task') return false
      noteCompletion(run, token, command)
      run.moves.push({ do: 'finish', id: token.id })
      return true
    case 'timer':
      if (!('due' in token)) return false
      await occur(run, token)
      return true
    case 'event':
      if (!('on' in token) || token.on === 'several') return false
      if (command.isMet === false) holdsNoMore(run, token)
      else await occur(run, token, command.variables)
      return true
    case 'error':
      if (token.is !== 'task' && token.is !== 'call' && !isFailed) return false
      run.moves.push({
        do: 'raise',
        error: { code: command.code, message: command.message, elementId: nodeAt(run, token.at).id },
        in: token.in,
        id: token.id,
      })
      return true
    case 'called':
      if (token.is !== 'call') return false
      endCall(run, token, command.variables)
      return true
    case 'fail':
      if (token.is !== 'call') return false
      failWork(run, token, { message: command.message })
      return true
    case 'escalation':
      if (token.is !== 'call') return false
      await escalateFrom(run, token, command.code)
      return true
    case 'begin':
      return beginActivity(run, token, command.elementId)
    case 'retry':
      if (!isFailed) return false
      // Its wait is over until it fails again.
      run.tokens.set(token.id, withoutFailure(token))
      run.moves.push({ do: 'perform', id: token.id })
      return true
  }
}

function noteCompletion(run: EngineRun, token: Token, command: Extract<Command, { kind: 'complete' }>): void {
  const { variables, task, data = {} } = command
  assign(run, token, variables)
  if (task === undefined) return
  run.tokens.set(token.id, { ...token, task })
  noteTask(run, token, { outcome: task.outcome, completed_by: task.completed_by, data })
}

function withoutFailure(token: Token): Token {
  const { failed: _, ...rest } = token as Token & { is: 'work' }
  return rest
}
