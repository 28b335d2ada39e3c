import type { NodeElement } from '../element.ts'

/** A task that says nothing about what it does: a token passes it. */
export const plainTask: NodeElement = {
  kind: 'activity',
  type: 'task',
  line: 'does nothing: a place in the drawing',
  holds: ['In', 'Out'],
  mayChoose: true,
  enter: (run, _node, position) => {
    run.tokens.set(position.id, { is: 'work', ...position })
    run.moves.unshift({ do: 'finish', id: position.id })
  },
}
