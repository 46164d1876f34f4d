// @ts-check
// The element <tilebase-board>: a board on any page. This file needs no other one, and has only ASCII, so that no
// page reads it in a wrong encoding: load it with
// <script src="tilebase-board.js"></script>.
//
//   <tilebase-board board="1 2 3/4 5 6/0 7 8" play></tilebase-board>        a board to play
//   <tilebase-board board="1 2 3/4 5 6/0 7 8" moves="LL"></tilebase-board>  a solution to step through
//
// Attributes: board (rows between slashes, 0 is the blank), goal (a board; by default the blank is last), moves
// (directions of tiles), play, theme (light or dark). Events: tilebase-move and tilebase-solved, with detail.board and
// detail.moves.
(() => {
  /** @typedef {{ rows: number, cols: number, tiles: number[] }} Board */
  const STEPS = /** @type {const} */ ({ U: [-1, 0], R: [0, 1], D: [1, 0], L: [0, -1] });
  /** @typedef {keyof typeof STEPS} Direction */
  const KEYS = /** @type {Readonly<Record<string, Direction>>} */ ({ ArrowUp: 'U', ArrowRight: 'R', ArrowDown: 'D', ArrowLeft: 'L' });
  const WORDS = { U: 'up', R: 'right', D: 'down', L: 'left' };
  const STYLE = `
    :host { display: block; box-sizing: border-box; width: 24rem; max-width: 100%; color-scheme: light dark; font-family: system-ui, sans-serif; }
    :host([theme="light"]) { color-scheme: light; } :host([theme="dark"]) { color-scheme: dark; }
    :host([theme]) { padding: 0.4rem; border-radius: 14px; background: light-dark(#f6f5f2, #14181c); }
    * { box-sizing: border-box; }
    .board { position: relative; container-type: inline-size; aspect-ratio: var(--cols) / var(--rows); padding: 0; border-radius: 12px;
      background: light-dark(#e9e6e0, #0e1215); box-shadow: 0 0 0 6px light-dark(#e9e6e0, #0e1215); margin: 6px; }
    .tile { position: absolute; inset: 0 auto auto 0; width: calc(100% / var(--cols)); height: calc(100% / var(--rows)); padding: max(1px, 2.2cqw / var(--cols));
      border: 0; background: none; font: inherit; transition: transform 110ms; }
    .face { display: grid; place-items: center; height: 100%; border-radius: min(10px, 9cqw / var(--cols)); color: light-dark(#1d2226, #e8eaec);
      background: light-dark(#ffffff, #2a333b); box-shadow: inset 0 0 0 1px light-dark(#cfcac0, #10151a);
      font-size: calc(38cqw / var(--cols)); font-weight: 600; line-height: 1; letter-spacing: -0.03em; }
    .is-home .face { color: light-dark(#0b6699, #6cc0ee); }
    .tile:focus-visible { outline: none; } .tile:focus-visible .face { outline: 3px solid light-dark(#0b6699, #6cc0ee); }
    .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem; margin: 0.8rem 6px 0; color: light-dark(#545b62, #a9b1b8); font-variant-numeric: tabular-nums; }
    .bar button { min-width: 2.5rem; min-height: 2.5rem; border: 1px solid light-dark(#84888c, #7a838b); border-radius: 8px; background: light-dark(#ffffff, #1c2228);
      color: light-dark(#1d2226, #e8eaec); font: inherit; cursor: pointer; }
    .bar button:disabled { opacity: 0.45; cursor: default; }
    .problem { color: light-dark(#a33f00, #f39a5f); }
    @media (prefers-reduced-motion: reduce) { .tile { transition: none; } }`;

  /** @param {string} text @returns {Board} */
  function boardFrom(text) {
    const lines = text.trim().split(/\s*[/\n]+\s*/).map((row) => row.split(/[\s,]+/).map(Number));
    const tiles = lines.flat();
    const twice = tiles.find((tile, at) => tiles.indexOf(tile) < at);
    const strange = tiles.find((tile) => !(tile >= 0 && tile < tiles.length));
    const fault = lines.length < 2 || lines.some((line) => line.length !== lines[0].length || line.length < 2) ? 'its rows, with / between them, need the same number of tiles, two at least'
      : strange !== undefined ? `expected the numbers from 0, the blank, to ${tiles.length - 1}`
        : twice !== undefined ? `${twice} is there twice` : '';
    if (fault !== '') throw new Error(`\u201c${text}\u201d is no board: ${fault}. A board is written as in 1 2 3/4 5 6/7 8 0.`);
    return { rows: lines.length, cols: lines[0].length, tiles };
  }

  /** Returns the board after a move, null if it is impossible. @param {Board} board @param {Direction} direction @returns {Board | null} */
  function moved({ rows, cols, tiles }, direction) {
    const blank = tiles.indexOf(0);
    const [down, right] = STEPS[direction];
    const [row, col] = [Math.floor(blank / cols) - down, (blank % cols) - right];
    if (row < 0 || row >= rows || col < 0 || col >= cols) return null;
    const next = [...tiles];
    [next[blank], next[row * cols + col]] = [tiles[row * cols + col], 0];
    return { rows, cols, tiles: next };
  }

  /** Returns the direction and number of moves of a press on a cell; no moves if it is not in line with the blank. @param {Board} board @param {number} cell @returns {[Direction, number]} */
  function slide({ cols, tiles }, cell) {
    const blank = tiles.indexOf(0);
    const [rows, across] = [Math.floor(blank / cols) - Math.floor(cell / cols), (blank % cols) - (cell % cols)];
    if ((rows === 0) === (across === 0)) return ['U', 0];
    return rows !== 0 ? [rows > 0 ? 'D' : 'U', Math.abs(rows)] : [across > 0 ? 'R' : 'L', Math.abs(across)];
  }

  /** @param {string} tag @param {Record<string, string>} attributes @param {(Node | string)[]} children */
  function el(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  class TilebaseBoard extends HTMLElement {
    static observedAttributes = ['board', 'goal', 'moves', 'play'];

    constructor() {
      super();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(STYLE);
      this.root = this.attachShadow({ mode: 'open' });
      this.root.adoptedStyleSheets = [sheet];
      /** @type {Direction[]} Moves that are made, and then those that can be made again. */
      this.line = [];
      this.at = 0;
      this.isOwn = false;
      /** @type {ReturnType<typeof setInterval> | undefined} */
      this.playing = undefined;
      this.root.addEventListener('keydown', (event) => this.onKey(/** @type {KeyboardEvent} */ (event)));
    }

    connectedCallback() {
      this.begin();
    }

    disconnectedCallback() {
      clearInterval(this.playing);
    }

    attributeChangedCallback() {
      if (this.isConnected) this.begin();
    }

    begin() {
      clearInterval(this.playing);
      this.playing = undefined;
      this.isOwn = false;
      this.at = 0;
      try {
        this.start = boardFrom(this.getAttribute('board') ?? '');
        const { rows, cols, tiles } = this.start;
        const goal = this.getAttribute('goal');
        this.goal = goal === null ? { rows, cols, tiles: tiles.map((_, cell) => (cell + 1) % tiles.length) } : boardFrom(goal);
        this.line = /** @type {Direction[]} */ ([...(this.getAttribute('moves') ?? '').toUpperCase().replace(/\s/g, '')]);
        this.line.reduce((/** @type {Board} */ board, direction, index) => {
          const next = direction in STEPS ? moved(board, direction) : null;
          if (next === null) throw new Error(`Move ${index + 1}, ${direction}, is impossible: moves are the directions U, R, D and L of tiles.`);
          return next;
        }, this.start);
      } catch (error) {
        this.start = undefined;
        return this.root.replaceChildren(el('p', { class: 'problem', role: 'alert' }, error instanceof Error ? error.message : ''));
      }
      this.build();
    }

    /** @returns {Board} */
    get shown() {
      return this.line.slice(0, this.at).reduce((board, direction) => moved(board, direction) ?? board, /** @type {Board} */ (this.start));
    }

    build() {
      const { rows, cols, tiles } = /** @type {Board} */ (this.start);
      const isPlayed = this.hasAttribute('play');
      this.board = el('div', { class: 'board', role: isPlayed ? 'group' : 'img' });
      this.board.style.setProperty('--rows', String(rows));
      this.board.style.setProperty('--cols', String(cols));
      this.tiles = tiles.filter((tile) => tile !== 0).sort((a, b) => a - b).map((tile) => {
        const made = el(isPlayed ? 'button' : 'span', { class: 'tile', ...(isPlayed ? { type: 'button' } : {}) }, el('span', { class: 'face' }, String(tile)));
        if (isPlayed) made.addEventListener('click', () => this.press(tile));
        this.board?.append(made);
        return { tile, made };
      });
      const button = (/** @type {string} */ sign, /** @type {string} */ name, /** @type {() => void} */ act) => {
        const made = el('button', { type: 'button', 'aria-label': name, title: name }, sign);
        made.addEventListener('click', act);
        return made;
      };
      this.count = el('span', { role: 'status' });
      this.first = button('|\u25c0', 'To the start', () => this.go(0));
      this.back = button('\u25c0', 'One move back', () => this.go(this.at - 1));
      this.run = button('\u25b6\u25b6', 'Play', () => this.toggle());
      this.next = button('\u25b6', 'One move on', () => this.go(this.at + 1));
      const controls = this.line.length > 0 || this.hasAttribute('play') ? [this.first, this.back, this.next] : [];
      this.root.replaceChildren(this.board, el('div', { class: 'bar' }, ...controls, ...(this.line.length > 0 ? [this.run] : []), this.count));
      this.show();
    }

    show() {
      const board = this.shown;
      const { cols } = board;
      for (const { tile, made } of this.tiles ?? []) {
        const cell = board.tiles.indexOf(tile);
        made.style.transform = `translate(${(cell % cols) * 100}%, ${Math.floor(cell / cols) * 100}%)`;
        made.classList.toggle('is-home', this.goal?.tiles[cell] === tile);
        const [direction, length] = slide(board, cell);
        const moves = length === 0 ? '' : `, can move ${WORDS[direction]}`;
        if (this.hasAttribute('play')) made.setAttribute('aria-label', `Tile ${tile}, row ${Math.floor(cell / cols) + 1} column ${(cell % cols) + 1}${moves}`);
      }
      const rows = Array.from({ length: board.rows }, (_, row) => board.tiles.slice(row * cols, (row + 1) * cols).map((tile) => tile || 'blank').join(' '));
      this.board?.setAttribute('aria-label', `Board: ${rows.join('; ')}`);
      const isSolved = this.goal?.tiles.every((tile, cell) => board.tiles[cell] === tile) ?? false;
      const made = this.isOwn ? `${this.at} ${this.at === 1 ? 'move' : 'moves'}` : this.line.length > 0 ? `Move ${this.at} of ${this.line.length}` : '';
      if (this.count) this.count.textContent = `${made}${isSolved && this.at > 0 ? ' \u00b7 solved' : ''}`;
      for (const control of [this.first, this.back]) control?.toggleAttribute('disabled', this.at === 0);
      for (const control of [this.next, this.run]) control?.toggleAttribute('disabled', this.at === this.line.length);
      return isSolved;
    }

    /** @param {number} at */
    go(at) {
      this.at = Math.max(0, Math.min(at, this.line.length));
      const isSolved = this.show();
      const detail = { board: this.shown.tiles, moves: this.line.slice(0, this.at).join('') };
      this.dispatchEvent(new CustomEvent('tilebase-move', { detail, bubbles: true }));
      if (isSolved) this.dispatchEvent(new CustomEvent('tilebase-solved', { detail, bubbles: true }));
    }

    toggle() {
      const isPlaying = this.playing !== undefined;
      clearInterval(this.playing);
      this.playing = isPlaying ? undefined : setInterval(() => {
        this.go(this.at + 1);
        if (this.at === this.line.length) this.toggle();
      }, 350);
      const name = isPlaying ? 'Play' : 'Pause';
      this.run?.setAttribute('aria-label', name);
      if (this.run) [this.run.title, this.run.textContent] = [name, isPlaying ? '\u25b6\u25b6' : '\u23f8'];
    }

    /** Makes moves of the reader, which replace those that could be made again. @param {Direction} direction @param {number} length */
    make(direction, length) {
      if (this.playing !== undefined) this.toggle();
      this.isOwn = true;
      for (let count = 0; count < length; count += 1) {
        if (moved(this.shown, direction) === null) return;
        this.line = [...this.line.slice(0, this.at), direction];
        this.go(this.at + 1);
      }
    }

    /** @param {number} tile */
    press(tile) {
      this.make(...slide(this.shown, this.shown.tiles.indexOf(tile)));
    }

    /** @param {KeyboardEvent} event */
    onKey(event) {
      const direction = KEYS[event.key];
      if (!direction || !this.start || !this.hasAttribute('play') || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      event.preventDefault();
      // The page around has keys of its own.
      event.stopPropagation();
      this.make(direction, 1);
    }
  }

  if (!customElements.get('tilebase-board')) customElements.define('tilebase-board', TilebaseBoard);
})();
