import type * as z from 'zod'
import type { Declared } from '../declared.ts'

/** A method that sends something: the operation stores the intent that its arguments make, and sends it with it. */
export interface MessageMethod extends Declared {
  /** The arguments by name, in their order. */
  readonly schema: z.ZodObject
  /** It answers whether something is sent; others answer null. */
  readonly answersWhether?: true
  /** Brings arguments that authors may leave out in the middle into their order. */
  readonly arrange?: (args: readonly unknown[]) => readonly unknown[]
}
