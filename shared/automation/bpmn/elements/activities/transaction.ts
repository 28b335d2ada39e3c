import type { NodeElement } from '../element.ts'
import { subProcess } from './sub-process.ts'

/** A sub-process that can be cancelled as a whole, which undoes what was completed in it. An error leaves it as it is. */
export const transaction: NodeElement = {
  ...subProcess,
  type: 'transaction',
  line: 'a sub-process that a cancel event undoes and leaves',
}
