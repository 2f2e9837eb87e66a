/**
 * Returns the name of a picture of a position, without its ending: with the position ID if that is a legal file name. A position ID of
 * GNU Backgammon can contain slashes; its match ID is left out.
 */
export function boardFile(world: string, id: string | null): string {
  const [position = ''] = id?.split(':') ?? []
  return /^[\w+]+$/.test(position) ? `${world}-${position}` : `${world}-board`
}
