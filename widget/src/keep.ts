/** What is kept in the browser: in its storage, or in memory where that is full, forbidden or not there. */

export class Keep {
  private readonly memory = new Map<string, string>();
  private readonly prefix: string;
  /** What the storage does not take is in memory only; else another page's change would never be seen. */
  private inMemory = false;

  /** `server` keeps apart what belongs to two chats on one site. */
  constructor(
    server: string,
    private readonly storage: Storage | undefined,
  ) {
    this.prefix = `covan ${server} `;
  }

  get(name: string): string {
    const stored = this.inMemory ? undefined : this.attempt((storage) => storage.getItem(this.prefix + name));
    return (this.inMemory ? this.memory.get(name) : stored) ?? "";
  }

  /** An empty value is forgotten. */
  set(name: string, value: string): void {
    this.memory.set(name, value);
    this.attempt((storage) =>
      value ? storage.setItem(this.prefix + name, value) : storage.removeItem(this.prefix + name),
    );
  }

  private attempt<T>(what: (storage: Storage) => T): T | undefined {
    try {
      if (this.storage) return what(this.storage);
    } catch {
      // It lasts as long as the page.
    }
    this.inMemory = true;
    return undefined;
  }

  /** Whether a `storage` event is about this value: another page has changed it. */
  isAbout(event: StorageEvent, name: string): boolean {
    return event.key === this.prefix + name || event.key === null;
  }
}

/** A storage of the browser; undefined where it is forbidden even to ask for it. */
export function storageOf(which: "localStorage" | "sessionStorage"): Storage | undefined {
  try {
    return window[which];
  } catch {
    return undefined;
  }
}
