/** Two short tones. Silent where the browser blocks sound before the first click, or has no audio. */
const TONES: readonly (readonly [hertz: number, start: number])[] = [
  [660, 0],
  [880, 0.16],
];
const SECONDS = 0.22;
const LOUDNESS = 0.08;

export function playTwoTones(): void {
  if (typeof AudioContext === 'undefined') return;
  try {
    const audio = new AudioContext();
    for (const [hertz, start] of TONES) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const at = audio.currentTime + start;
      tone.frequency.value = hertz;
      // Faded in and out, since an abrupt cut clicks.
      volume.gain.setValueAtTime(0, at);
      volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + SECONDS);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + SECONDS);
      if (hertz === TONES.at(-1)?.[0]) tone.onended = () => void audio.close();
    }
  } catch {
    // No audio device: the modal and the title are enough.
  }
}
