import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { type Key, useKeys, useRegisteredKeys } from '../../../web/keyboard/keyboard.tsx'
import { show } from './support/app.tsx'

const run = vi.fn<(name: string) => void>()
const key = (keys: string, name = keys, more: Partial<Key> = {}): Key => ({
  keys,
  label: name,
  run: () => run(name),
  ...more,
})

function Screen({ keys }: { readonly keys: readonly Key[] }) {
  useKeys(keys)
  return null
}
const Listed = () => (
  <output>
    {useRegisteredKeys()
      .map(({ label }) => label)
      .join()}
  </output>
)
const pressed = (): readonly string[] => {
  const names = run.mock.calls.map(([name]) => name)
  run.mockClear()
  return names
}

describe('the keys of a screen', () => {
  it('do what the component that was shown last says, with what it knows now', async () => {
    const { user, rerender } = show(
      <>
        <Screen keys={[key('j', 'frame'), key('z')]} />
        <Screen keys={[key('j', 'list')]} />
      </>,
    )
    await user.keyboard('jz')
    expect(pressed()).toEqual(['list', 'z'])
    rerender(<Screen keys={[{ ...key('j', 'frame'), run: () => run('newer') }, key('z')]} />)
    await user.keyboard('j')
    expect(pressed()).toEqual(['newer'])
    rerender(<p />)
    await user.keyboard('j')
    expect(pressed()).toEqual([])
  })

  it('come one after the other, within a second', async () => {
    const { user } = show(<Screen keys={[key('g w'), key('w')]} />)
    await user.keyboard('gw')
    expect(pressed()).toEqual(['g w'])
    await user.keyboard('gxw')
    expect(pressed()).toEqual(['w'])
    const now = vi.spyOn(Date, 'now')
    const begun = Date.now()
    await user.keyboard('g')
    now.mockReturnValue(begun + 1500)
    await user.keyboard('w')
    now.mockRestore()
    expect(pressed()).toEqual(['w'])
  })

  it('leave text fields and dialogs alone, but for those that work everywhere', async () => {
    const { user, rerender } = show(
      <>
        <Screen keys={[key('j'), key('mod+enter', 'send', { inFields: true })]} />
        <input aria-label="Text" />
        <input type="checkbox" aria-label="Box" />
      </>,
    )
    await user.type(screen.getByLabelText('Text'), 'j{Control>}{Enter}{/Control}')
    expect(pressed()).toEqual(['send'])
    screen.getByLabelText('Box').focus()
    await user.keyboard('j')
    expect(pressed()).toEqual(['j'])
    rerender(
      <>
        <Screen keys={[key('j')]} />
        <div role="dialog" aria-modal="true" aria-label="Dialog" />
      </>,
    )
    await user.keyboard('j')
    expect(pressed()).toEqual([])
  })

  it('are listed while they work', () => {
    const { rerender } = show(
      <>
        <Screen keys={[key('j', 'Next')]} />
        <Screen keys={[key('k', 'Previous')]} />
        <Listed />
      </>,
    )
    expect(screen.getByRole('status').textContent).toBe('Next,Previous')
    rerender(<Listed />)
    expect(screen.getByRole('status').textContent).toBe('')
  })
})
