import { arrive, enter, finish, turn } from './enter.ts'
import { raise } from './errors.ts'
import { joinInclusive } from './joins.ts'
import { leave } from './leave.ts'
import { countActivation, nextId, StepFailure, record, type Move, type Run } from './run.ts'
import { waitsOf } from './waits.ts'

/** Moves everything until everything waits. true: the process is over. */
export async function drain(run: Run): Promise<boolean> {
  for (;;) {
    for (let move = run.moves.shift(); move !== undefined; move = run.moves.shift())
      if (isAlive(run, move)) await make(run, move)
    if (endScopes(run)) continue
    const join = joinInclusive(run)
    if (join === undefined) break
    countActivation(run, join.node)
    const id = nextId(run, join.node)
    record(run, join.node.id, id, 'entered')
    record(run, join.node.id, id, 'completed')
    await leave(run, join.node, join.in, id)
  }
  if (isEmpty(run, '')) return true
  const stuck = run.parked[0]
  if (stuck !== undefined && waitsOf(run).length === 0) {
    const join = run.graph.flows.get(stuck.flow)?.target
    throw new StepFailure(
      join?.id,
      `${join?.label} waits for tokens that can never come: the process would hang for ever.`,
    )
  }
  return false
}

/** What an interrupted sub-process still had to do is void. */
const isAlive = (run: Run, move: Move): boolean => !('in' in move) || move.in === '' || run.standing.has(move.in)

function make(run: Run, move: Move): Promise<void> {
  switch (move.do) {
    case 'arrive':
      return arrive(run, move)
    case 'enter':
      return enter(run, move.node, move.in, move.gate)
    case 'turn':
      return turn(run, move)
    case 'finish':
      return finish(run, move.id)
    case 'raise':
      return raise(run, move.error, move.in, move.id)
  }
}

/** Sub-processes in which nothing is left to do are over. */
function endScopes(run: Run): boolean {
  const over = [...run.standing.values()].filter((each) => each.is === 'scope' && isEmpty(run, each.id))
  for (const { id } of over) run.moves.push({ do: 'finish', id })
  return over.length > 0
}

const isEmpty = (run: Run, scope: string): boolean =>
  !run.standing.values().some((each) => each.in === scope && each.is !== 'alarm') &&
  !run.parked.some((token) => token.in === scope)
