class Rread < Formula
  desc "@DESCRIPTION@"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license any_of: [@LICENCES@]

@ARCHIVES@

  def install
    bin.install "rread"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/rread.bash" => "rread"
    zsh_completion.install "completions/_rread"
    fish_completion.install "completions/rread.fish"
    doc.install Dir["*.md"], Dir["LICENSE*"], "docs"
  end

  test do
    (testpath/"app.log").write "first\nsecond\n"
    assert_equal "second\n", shell_output("#{bin}/rread lines app.log 2 --raw")
  end
end
