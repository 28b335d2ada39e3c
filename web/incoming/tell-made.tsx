import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { useRouter } from '@tanstack/react-router'
import { closeButton } from '../parts/undo.tsx'

/** Says that a record was made, and leads there. Messages stand outside of the screens, so they are given the router. */
export function tellMade(
  router: ReturnType<typeof useRouter>,
  message: string,
  label: string,
  model: string,
  id: number,
): void {
  const shown = crypto.randomUUID()
  notifications.show({
    id: shown,
    withBorder: true,
    closeButtonProps: closeButton(),
    message: (
      <span className="undo">
        {message}
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(shown)
            void router.navigate({ to: '/e/$model/$id', params: { model, id: String(id) } })
          }}
        >
          {label}
        </Button>
      </span>
    ),
  })
}
