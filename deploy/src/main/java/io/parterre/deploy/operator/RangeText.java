package io.parterre.deploy.operator;

import com.google.protobuf.ByteString;
import io.parterre.key.Key;
import io.parterre.manager.reason.ByteCount;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Merge;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.RangeLoad;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.Split;
import io.parterre.proto.range.Descriptor;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Describes ranges. Stateless. */
final class RangeText {
    private static final int KEY_BYTES_SHOWN = 24;
    private static final ByteString LAST = ByteString.copyFrom(Key.LAST.toBytes());

    private RangeText() {}

    /** Prints the range, its leader and its bounds. */
    static void printHead(RangeStatus status, PrintWriter out) {
        Descriptor range = status.getRange();
        out.println(
                "range "
                        + range.getRangeId()
                        + ", generation "
                        + range.getGeneration()
                        + ", leader "
                        + (status.getLeader().isEmpty() ? "unknown" : status.getLeader()));
        out.println(bounds(range));
    }

    /** Returns the range's bounds. */
    static String bounds(Descriptor range) {
        ByteString end = range.getEndExclusive();
        return "from "
                + key(range.getStart(), "the first key")
                + " to "
                + key(end.equals(LAST) ? ByteString.EMPTY : end, "the last");
    }

    /** Returns a key in hexadecimal, so that clients' keys cannot be read from a screen. */
    static String key(ByteString key, String ifEmpty) {
        if (key.isEmpty()) {
            return ifEmpty;
        }
        ByteString shown = key.substring(0, Math.min(key.size(), KEY_BYTES_SHOWN));
        return HexFormat.of().formatHex(shown.toByteArray())
                + (key.size() > KEY_BYTES_SHOWN ? "..." : "");
    }

    /** Returns the range's size as one word. */
    static String size(RangeStatus range) {
        return new ByteCount(range.getBytes()).toString().replace(" bytes", "B").replace(" ", "");
    }

    /**
     * Returns the range's rate of operations, including refused ones; empty string if its leader
     * has not told.
     */
    static String operationsPerSecond(RangeStatus range) {
        RangeLoad load = range.getLoad();
        return range.hasLoad()
                ? String.valueOf(
                        Math.round(
                                load.getReadsPerSecond()
                                        + load.getWritesPerSecond()
                                        + load.getRefusedPerSecond()))
                : "";
    }

    static String members(RangeStatus range) {
        if (range.getMembersCount() == 0) {
            return String.join(",", range.getRange().getMembersList());
        }
        return range.getMembersList().stream()
                .map(RangeText::member)
                .collect(Collectors.joining(","));
    }

    private static String member(MemberStatus member) {
        List<String> remarks = remarks(member);
        return member.getNodeId()
                + (remarks.isEmpty() ? "" : "(" + String.join(" ", remarks) + ")");
    }

    static List<String> remarks(MemberStatus member) {
        List<String> remarks = new ArrayList<>();
        boolean silent =
                member.getLiveness() == Liveness.SUSPECT || member.getLiveness() == Liveness.DEAD;
        if (silent) {
            remarks.add(NodesCommand.word(member.getLiveness()));
        }
        if (member.getJoining()) {
            remarks.add("joining");
        }
        if (member.getMissing()) {
            remarks.add("missing");
        }
        if (!member.getDamage().isEmpty()) {
            remarks.add("damaged");
        }
        return remarks;
    }

    /** Returns the operation in progress on the range. */
    static String change(RangeStatus range) {
        String others = splitOrMove(range);
        if (!range.hasMerge()) {
            return others;
        }
        return others.isEmpty() ? merge(range) : merge(range) + ", " + others;
    }

    static String merge(RangeStatus range) {
        Merge merge = range.getMerge();
        boolean left = merge.getLeftRangeId() == range.getRange().getRangeId();
        return (left ? "absorbs " + merge.getRightRangeId() : "goes into " + merge.getLeftRangeId())
                + " "
                + merge.getAgeSeconds()
                + "s "
                + merge.getStep();
    }

    private static String splitOrMove(RangeStatus range) {
        return range.hasSplit() ? split(range) : move(range);
    }

    private static String children(Split split) {
        return Stream.concat(
                        Stream.of(split.getChildRangeId()),
                        split.getFurtherChildRangeIdsList().stream())
                .map(String::valueOf)
                .collect(Collectors.joining(","));
    }

    static String split(RangeStatus range) {
        return "split off "
                + children(range.getSplit())
                + " "
                + range.getSplit().getAgeSeconds()
                + "s "
                + range.getSplit().getStep();
    }

    static String move(RangeStatus range) {
        if (!range.hasMove()) {
            return "";
        }
        Move move = range.getMove();
        List<String> words = new ArrayList<>();
        if (!move.getAdd().isEmpty()) {
            words.add("+" + move.getAdd());
        }
        if (!move.getRemove().isEmpty()) {
            words.add("-" + move.getRemove());
        }
        words.add(move.getAgeSeconds() + "s");
        if (!move.getStep().isEmpty()) {
            words.add(move.getStep());
        }
        return String.join(" ", words);
    }
}
