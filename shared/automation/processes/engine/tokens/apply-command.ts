import type { Command } from '../schema.ts'
import { nodeAt, type EngineRun, type Token } from './engine-run.ts'
import { fireEventSubProcessTimer, fireBoundaryTimer } from './timers.ts'
import { assign, noteTask } from './variable-scopes.ts'

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
      return await fireTimer(run, token)
    case 'error':
      if (token.is !== 'task' && !isFailed) return false
      run.moves.push({
        do: 'raise',
        error: { code: command.code, message: command.message, elementId: nodeAt(run, token.at).id },
        in: token.in,
        id: token.id,
      })
      return true
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

async function fireTimer(run: EngineRun, token: Token): Promise<boolean> {
  if (token.is === 'timer') run.moves.push({ do: 'finish', id: token.id })
  else if (token.is === 'watch') await fireBoundaryTimer(run, token)
  else if (token.is === 'alarm') await fireEventSubProcessTimer(run, token)
  else return false
  return true
}
