import type { FieldErrors } from '../../kernel/faults.ts'
import { byName } from '../../kernel/own-members.ts'

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
