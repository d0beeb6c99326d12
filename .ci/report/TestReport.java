import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Prints what the reports of a test run say: the slowest classes of each module and of all, the
 * failures with the folder that explains each, and which lines no test reached. Runs from source:
 * {@code java .ci/report/TestReport.java [times|plan|courses] [ROOT [BEGIN]]}.
 *
 * <ul>
 *   <li>{@code times} (the default): the report of the run before. With the instant at which the
 *       build began it also says how long all of it took.
 *   <li>{@code plan}: the courses of the long tier, and how long each took in the last run here.
 *   <li>{@code courses}: keeps the times of the long tier for the next {@code plan}.
 * </ul>
 */
public final class TestReport {
    private static final int SLOWEST = 10;
    private static final double SLOW_SECONDS = 20;

    /** Packages whose lines the short tier has to reach. */
    private static final List<String> DECIDING = List.of("apply", "plan", "auth", "route", "table");

    private static final Pattern LONG_TAG =
            Pattern.compile(
                    "^ *(?:@Tag\\(\"long\"\\)|@Course)$|\\bTier\\.(?:size|isLong)\\(",
                    Pattern.MULTILINE);
    private static final Path COURSES = Path.of("target", "long-tier-times.tsv");

    /** One test class of one run; its time is that from its first test's begin to its last's end. */
    private record TestClass(
            String module,
            String name,
            double seconds,
            double testSeconds,
            Instant end,
            int tests,
            int failed,
            int skipped,
            List<String> failures) {
        Instant begin() {
            return end.minusMillis(Math.round(seconds * 1_000));
        }

        /** Without what its tests waited for a thread, where they run side by side. */
        double ownSeconds() {
            return Math.min(seconds, testSeconds);
        }
    }

    private record Lines(int reached, int missed) {
        Lines plus(Lines other) {
            return new Lines(reached + other.reached, missed + other.missed);
        }

        double percent() {
            int all = reached + missed;
            return all == 0 ? 100 : 100.0 * reached / all;
        }
    }

    private TestReport() {}

    public static void main(String[] arguments) throws Exception {
        String command = arguments.length > 0 ? arguments[0] : "times";
        Path root = Path.of(arguments.length > 1 ? arguments[1] : ".").normalize();
        switch (command) {
            case "times" -> {
                printTimes(root);
                if (arguments.length > 2) {
                    Duration all = Duration.between(Instant.parse(arguments[2]), Instant.now());
                    System.out.printf("The build took %s%n", text(all));
                }
            }
            case "plan" -> printPlan(root);
            case "courses" -> keepCourses(root);
            default -> {
                System.err.println("usage: TestReport.java [times|plan|courses] [ROOT [BEGIN]]");
                System.exit(2);
            }
        }
    }

    private static void printTimes(Path root) throws Exception {
        List<TestClass> classes = testClasses(root);
        Map<String, List<TestClass>> byModule = new TreeMap<>();
        classes.forEach(
                each -> byModule.computeIfAbsent(each.module, name -> new ArrayList<>()).add(each));
        for (Map.Entry<String, List<TestClass>> module : byModule.entrySet()) {
            System.out.printf("%nSlowest classes of %s%n", module.getKey());
            printSlowest(module.getValue(), false);
        }
        System.out.printf("%nSlowest classes of all modules%n");
        printSlowest(classes, true);
        List<TestClass> slow =
                classes.stream().filter(each -> each.ownSeconds() > SLOW_SECONDS).toList();
        System.out.printf("%nClasses over %.0f s: %d%n", SLOW_SECONDS, slow.size());
        System.out.printf("%-20s %8s %8s %14s%n", "Module", "classes", "tests", "seconds");
        for (Map.Entry<String, List<TestClass>> module : byModule.entrySet()) {
            printTotal(module.getKey(), module.getValue());
        }
        printTotal("all", classes);
        printCoverage(root);
        printFailures(root, classes);
        printWallTime(classes);
    }

    /** Modules and classes run side by side: all of it takes less than the sum of its parts. */
    private static void printWallTime(List<TestClass> classes) {
        if (!classes.isEmpty()) {
            Instant begin =
                    classes.stream().map(TestClass::begin).min(Comparator.naturalOrder()).get();
            Instant end = classes.stream().map(TestClass::end).max(Comparator.naturalOrder()).get();
            print(
                    "From the begin of the first class to the end of the last: %s%n",
                    text(Duration.between(begin, end)));
        }
    }

    private static String text(Duration time) {
        return time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }

    private static void printSlowest(List<TestClass> classes, boolean withModule) {
        classes.stream()
                .sorted(Comparator.comparingDouble(TestClass::ownSeconds).reversed())
                .limit(SLOWEST)
                .forEach(
                        each ->
                                print(
                                        "%8.1f s  %s%s (%d)%n",
                                        each.ownSeconds(),
                                        withModule ? each.module + " " : "",
                                        simpleName(each.name),
                                        each.tests));
    }

    private static void printTotal(String name, List<TestClass> classes) {
        print(
                "%-20s %8d %8d %14.1f%n",
                name,
                classes.size(),
                classes.stream().mapToInt(TestClass::tests).sum(),
                classes.stream().mapToDouble(TestClass::seconds).sum());
    }

    private static void printFailures(Path root, List<TestClass> classes) {
        int failed = classes.stream().mapToInt(TestClass::failed).sum();
        for (TestClass each : classes) {
            for (String test : each.failures) {
                Path kept = root.resolve(each.module).resolve("target/failed-tests");
                // Those of several invocations have numbers at their end; what fails around its
                // tests is kept for the class, and what fails around classes for the engine.
                String evidence =
                        Stream.of(
                                        simpleName(each.name) + "." + test,
                                        simpleName(each.name).replace(' ', '-'))
                                .filter(begin -> isBegunBy(kept, begin))
                                .findFirst()
                                .map(begin -> ", see " + kept.resolve(begin) + "*")
                                .orElse("");
                print("FAILED %s %s.%s%s%n", each.module, simpleName(each.name), test, evidence);
            }
        }
        int tests = classes.stream().mapToInt(TestClass::tests).sum();
        int skipped = classes.stream().mapToInt(TestClass::skipped).sum();
        print("%nTests: %d run, %d failed, %d skipped%n", tests, failed, skipped);
    }

    private static boolean isBegunBy(Path folder, String begin) {
        String[] names = folder.toFile().list((parent, name) -> name.startsWith(begin));
        return names != null && names.length > 0;
    }

    private static List<TestClass> testClasses(Path root) throws Exception {
        List<TestClass> classes = new ArrayList<>();
        for (Path file : files(root, "glob:**/target/{surefire,failsafe}-reports/TEST-*.xml")) {
            Element suite = parse(file).getDocumentElement();
            List<String> failures = new ArrayList<>();
            NodeList tests = suite.getElementsByTagName("testcase");
            double testSeconds = 0;
            for (int i = 0; i < tests.getLength(); i++) {
                Element test = (Element) tests.item(i);
                testSeconds += seconds(test);
                if (has(test, "failure") || has(test, "error")) {
                    failures.add(test.getAttribute("name").replaceAll("[({\\[].*", ""));
                }
            }
            classes.add(
                    new TestClass(
                            moduleOf(root, file),
                            suite.getAttribute("name"),
                            seconds(suite),
                            testSeconds,
                            // Written when the class has ended.
                            Files.getLastModifiedTime(file).toInstant(),
                            Integer.parseInt(suite.getAttribute("tests")),
                            Integer.parseInt(suite.getAttribute("failures"))
                                    + Integer.parseInt(suite.getAttribute("errors")),
                            Integer.parseInt(suite.getAttribute("skipped")),
                            failures));
        }
        return classes;
    }

    private static double seconds(Element suiteOrTest) {
        return Double.parseDouble(suiteOrTest.getAttribute("time").replace(",", ""));
    }

    /** Reads what JaCoCo has made of the whole run, if it recorded one. */
    private static void printCoverage(Path root) throws Exception {
        Path report = root.resolve(".ci/report/target/site/jacoco-aggregate/jacoco.xml");
        if (!Files.exists(report)) {
            return;
        }
        Map<String, Lines> modules = new TreeMap<>();
        Map<String, Lines> packages = new TreeMap<>();
        List<String> missed = new ArrayList<>();
        NodeList groups = parse(report).getDocumentElement().getElementsByTagName("group");
        for (int i = 0; i < groups.getLength(); i++) {
            Element group = (Element) groups.item(i);
            String module = group.getAttribute("name");
            NodeList all = group.getElementsByTagName("package");
            for (int j = 0; j < all.getLength(); j++) {
                Element each = (Element) all.item(j);
                String name = each.getAttribute("name");
                Lines lines = linesOf(each);
                modules.merge(module, lines, Lines::plus);
                if (Stream.of(name.split("/")).anyMatch(DECIDING::contains)) {
                    packages.merge(name.replace('/', '.'), lines, Lines::plus);
                    missed.addAll(missedLines(each));
                }
            }
        }
        System.out.printf("%nLines reached by these tests%n");
        modules.forEach((name, lines) -> print("%-44s %6.1f %%%n", name, lines.percent()));
        packages.forEach(
                (name, lines) ->
                        print("%-44s %6.1f %%  %d missed%n", name, lines.percent(), lines.missed));
        Path list = root.resolve("target/missed-lines.txt");
        Files.createDirectories(list.getParent());
        Files.write(list, missed);
        print("The lines that no test reached in those packages: %s%n", list);
    }

    private static Lines linesOf(Element parent) {
        for (Node each = parent.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Element counter
                    && counter.getTagName().equals("counter")
                    && counter.getAttribute("type").equals("LINE")) {
                return new Lines(
                        Integer.parseInt(counter.getAttribute("covered")),
                        Integer.parseInt(counter.getAttribute("missed")));
            }
        }
        return new Lines(0, 0);
    }

    private static List<String> missedLines(Element packageElement) {
        List<String> missed = new ArrayList<>();
        NodeList files = packageElement.getElementsByTagName("sourcefile");
        for (int i = 0; i < files.getLength(); i++) {
            Element file = (Element) files.item(i);
            NodeList lines = file.getElementsByTagName("line");
            for (int j = 0; j < lines.getLength(); j++) {
                Element line = (Element) lines.item(j);
                if (line.getAttribute("ci").equals("0")) {
                    missed.add(
                            packageElement.getAttribute("name")
                                    + "/"
                                    + file.getAttribute("name")
                                    + ":"
                                    + line.getAttribute("nr"));
                }
            }
        }
        return missed;
    }

    /** Classes with the tag, or with a method that has it, and those that are larger there. */
    private static Map<String, String> courses(Path root) throws IOException {
        Map<String, String> courses = new TreeMap<>();
        for (Path file : files(root, "glob:**/src/test/java/**{IT,Test,Properties}.java")) {
            String text = Files.readString(file);
            if (LONG_TAG.matcher(text).find()) {
                String name = file.getFileName().toString().replace(".java", "");
                courses.put(moduleOf(root, file) + " " + name, summary(text));
            }
        }
        return courses;
    }

    /** Returns the first sentence of the class's javadoc. */
    private static String summary(String text) {
        Matcher javadoc =
                Pattern.compile("/\\*\\*(.*?)\\*/\\s*(?:@[^\\n]*\\n)*(?:public |final |abstract )*class ", Pattern.DOTALL)
                        .matcher(text);
        if (!javadoc.find()) {
            return "";
        }
        String plain =
                javadoc.group(1)
                        .replaceAll("(?m)^\\s*\\*\\s?", "")
                        .replaceAll("\\{@\\w+\\s+#?([^}]*)}", "$1")
                        .replaceAll("\\s+", " ")
                        .strip();
        int end = plain.indexOf(". ");
        return end < 0 ? plain : plain.substring(0, end + 1);
    }

    private static void printPlan(Path root) throws IOException {
        Map<String, String> took = keptTimes(root.resolve(COURSES));
        System.out.println("The long tier runs, after the short one:");
        double seconds = 0;
        for (Map.Entry<String, String> course : courses(root).entrySet()) {
            String time = took.get(course.getKey());
            seconds += time == null ? 0 : Double.parseDouble(time);
            print(
                    "  %-44s %9s  %s%n",
                    course.getKey(), time == null ? "not yet" : time + " s", course.getValue());
        }
        print("Last time here they took %.0f s in all, some of them side by side.%n", seconds);
    }

    private static Map<String, String> keptTimes(Path kept) throws IOException {
        Map<String, String> times = new HashMap<>();
        if (Files.exists(kept)) {
            for (String line : Files.readAllLines(kept)) {
                String[] fields = line.split("\t", -1);
                times.put(fields[0], fields[1]);
            }
        }
        return times;
    }

    private static void keepCourses(Path root) throws Exception {
        Path kept = root.resolve(COURSES);
        // One course alone does not make the times of the others forgotten.
        TreeMap<String, String> times = new TreeMap<>(keptTimes(kept));
        Map<String, String> courses = courses(root);
        for (TestClass each : testClasses(root)) {
            String course = each.module + " " + simpleName(each.name);
            if (courses.containsKey(course)) {
                times.put(course, String.format(Locale.ROOT, "%.0f", each.seconds));
            }
        }
        Files.createDirectories(kept.getParent());
        Files.write(
                kept,
                times.entrySet().stream()
                        .map(time -> time.getKey() + "\t" + time.getValue())
                        .toList());
    }

    private static List<Path> files(Path root, String pattern) throws IOException {
        try (Stream<Path> all = Files.find(
                root,
                12,
                (path, attributes) ->
                        attributes.isRegularFile()
                                && root.getFileSystem().getPathMatcher(pattern).matches(path))) {
            return all.sorted().toList();
        }
    }

    /** Returns the folders before {@code target} or {@code src}. */
    private static String moduleOf(Path root, Path file) {
        String path = root.relativize(file).toString().replace('\\', '/');
        return path.replaceAll("/(target|src)/.*", "");
    }

    private static String simpleName(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static boolean has(Element parent, String child) {
        return parent.getElementsByTagName(child).getLength() > 0;
    }

    private static Document parse(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // JaCoCo's reports name a document type that is nowhere to be had.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        return factory.newDocumentBuilder().parse(file.toFile());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format, values);
    }
}
