import type { FieldErrors } from '../kernel/faults.ts'

/** Collects messages by the path they are about, for an Invalid. */
export class ErrorList {
  readonly errors: FieldErrors = {}

  add(path: string, message: string): void {
    ;(this.errors[path] ??= []).push(message)
  }

  get any(): boolean {
    return Object.keys(this.errors).length > 0
  }
}
