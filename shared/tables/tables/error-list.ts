import { byName } from '../../kernel/collections/own-members.ts'
import type { FieldErrors } from '../../kernel/failures/faults.ts'

/** Collects messages by the path they are about, for an Invalid. */
export class ErrorList {
  readonly errors: FieldErrors = byName()

  add(path: string, message: string): void {
    const known = this.errors[path]
    if (known) known.push(message)
    else this.errors[path] = [message]
  }

  get any(): boolean {
    return Object.keys(this.errors).length > 0
  }
}
