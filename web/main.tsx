import { DirectionProvider, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { onSessionEnd, queryClient } from './api/query-client.ts'
import { startKeyboard } from './keyboard/keyboard.tsx'
import { makeRouter } from './routes.tsx'
import { theme } from './shell/theme.ts'
import { startWords } from './words/words.ts'

await startWords()
startKeyboard()

const router = makeRouter()
onSessionEnd(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  queryClient.clear()
  void router.navigate({ to: '/sign-in', search: { to: href } })
})

createRoot(document.getElementById('app') as HTMLElement).render(
  <DirectionProvider>
    {/* The styles stand in a file: the policy of the page allows none that a script adds. */}
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-left" limit={3} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </DirectionProvider>,
)

// It is not needed before the first click leads to another screen.
const { ignoreSecondClicks } = await import('./parts/second-click.ts')
ignoreSecondClicks((listener) => router.subscribe('onRendered', ({ pathChanged }) => pathChanged && listener()))
