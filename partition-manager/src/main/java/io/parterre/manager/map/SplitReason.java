package io.parterre.manager.map;

/** Why a range is split. */
public enum SplitReason {
    /** An operator asked for it. */
    OPERATOR,
    /** The range holds more bytes than one range should. */
    SIZE,
    /** The range has more load than one range should. */
    LOAD
}
