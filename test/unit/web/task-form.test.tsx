import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { AskedField } from '../../../web/tasks/form-fields.ts'
import { TaskForm } from '../../../web/tasks/task-form.tsx'
import { show } from './support/app.tsx'

const field = (name: string, type: AskedField['type'], more: Partial<AskedField> = {}): AskedField => ({
  name,
  label: null,
  type,
  required: false,
  readonly: false,
  bind: null,
  default: null,
  options: [],
  scale: null,
  ...more,
})
const complete = vi.fn<(outcome: string | undefined, data: object) => Promise<unknown>>()

describe('the form of a task', () => {
  it('shows and sends defaults in the type of their fields', async () => {
    complete.mockResolvedValue(undefined)
    const form = [
      field('ok', 'boolean', { default: 'true' }),
      field('n', 'integer', { default: '5' }),
      field('note', 'text'),
    ]
    const { user } = show(<TaskForm task={{ id: 1, form, outcomes: [] }} onComplete={complete} />)
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ok' }).checked).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Complete' }))
    expect(complete).toHaveBeenLastCalledWith(undefined, { ok: true, n: 5 })
  })
})
