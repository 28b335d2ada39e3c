import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import AlarmClock from 'lucide-react/icons/alarm-clock'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useMessageOf } from '../api/failures.ts'
import { useSnooze } from '../api/snooze.ts'
import { useKeys } from '../keyboard/keyboard.tsx'
import { Moment } from '../parts/time.tsx'
import { offerUndo } from '../parts/undo.tsx'

const morningHour = 8

/** The morning after so many days, in the zone of the reader. */
function morningIn(days: number): Date {
  const date = new Date()
  date.setDate(date.getDate() + days)
  date.setHours(morningHour, 0, 0, 0)
  return date
}
/** Days until the next Monday. */
const toMonday = (): number => (8 - new Date().getDay()) % 7 || 7

/** Takes the record out of the reader's views until a moment. */
export function SnoozeButton({ model, id }: { readonly model: string; readonly id: number }) {
  const { t } = useTranslation()
  const messageOf = useMessageOf()
  const [isOpen, panel] = useDisclosure()
  const snooze = useSnooze(model, id)
  useKeys([{ keys: 'h', label: t('snooze.title'), run: panel.open }])

  function until(date: Date): void {
    snooze.mutate(date.toISOString(), {
      onSuccess() {
        panel.close()
        offerUndo(t('snooze.done'), t('parts.undo'), () => snooze.mutate(null))
      },
    })
  }
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const date = new Date(String(new FormData(event.currentTarget).get('until')))
    if (!Number.isNaN(date.getTime())) until(date)
  }
  const choices = [
    { label: t('snooze.tomorrow'), date: morningIn(1) },
    { label: t('snooze.nextWeek'), date: morningIn(toMonday()) },
  ]
  return (
    <Popover opened={isOpen} onChange={panel.toggle} width={280} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label={t('snooze.title')} onClick={panel.toggle}>
          <AlarmClock size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('snooze.title')}>
        <div className="stack">
          {choices.map(({ label, date }) => (
            <button key={label} type="button" className="choice" onClick={() => until(date)}>
              {label}
              <span className="quiet">
                <Moment at={date.toISOString()} />
              </span>
            </button>
          ))}
          <form className="stack" onSubmit={submit}>
            <TextInput
              type="datetime-local"
              name="until"
              label={t('snooze.until')}
              required
              withAsterisk={false}
              error={snooze.error ? messageOf(snooze.error) : undefined}
            />
            <Button type="submit" variant="default" loading={snooze.isPending}>
              {t('snooze.action')}
            </Button>
          </form>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
