import { Drawer } from '@mantine/core'
import { Navigation } from './navigation.tsx'

/** Navigation over the screen, where there is no room beside it. */
export default function MenuDrawer({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  return (
    <Drawer className="only-narrow" opened onClose={onClose} size={280} title={title}>
      <Navigation />
    </Drawer>
  )
}
