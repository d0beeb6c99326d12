package io.parterre.manager.map;

/** Why a range is split in two. */
public enum SplitReason {
    /** An operator asked for it. */
    OPERATOR,
    /** It holds more bytes than one range should. */
    SIZE,
    /** More is asked of it than one range should bear. */
    LOAD
}
